import type { AgentEvent } from '../events/agentEvent';
import type { ToolResult } from '../messages/toolResult';

/** Tells when an agent, or one that it started, begins to wait for a person, and when none of them does any more. */
export class AskWatch {
  private readonly open = new Set<string>();

  constructor(private readonly tell: (isAsking: boolean) => void) {}

  take(event: AgentEvent): void {
    if (event.type === 'approval-requested') this.add(event.request.id);
    else if (event.type === 'question-asked') this.add(event.question.id);
    else if (event.type === 'approval-answered') this.remove(event.requestId);
    else if (event.type === 'question-answered') this.remove(event.questionId);
  }

  /** The agent is over, and with it whatever it waited for. */
  end(): void {
    if (this.open.size > 0) this.tell(false);
    this.open.clear();
  }

  private add(id: string): void {
    this.open.add(id);
    if (this.open.size === 1) this.tell(true);
  }

  private remove(id: string): void {
    if (this.open.delete(id) && this.open.size === 0) this.tell(false);
  }
}

/** One use of a tool, in short. */
export interface MadeCall {
  readonly tool: string;
  /** What it was about, for people. */
  readonly title: string;
  readonly status: ToolResult['status'];
  /** From when it was to be carried out, also while a person was asked. */
  readonly durationMs: number;
}

/** Tells the calls that an agent makes, once each is over; not those of the agents that it starts. */
export class CallWatch {
  private readonly open = new Map<string, { title: string; beganAt: number }>();

  constructor(
    private readonly sessionId: string,
    private readonly tell: (call: MadeCall) => void,
  ) {}

  take(event: AgentEvent): void {
    if (event.sessionId !== this.sessionId) return;
    if (event.type === 'tool-prepared') this.open.set(event.callId, { title: event.title, beganAt: event.time });
    if (event.type !== 'tool-finished') return;
    const { callId, name, status } = event.result;
    const { title, beganAt } = this.open.get(callId) ?? { title: '', beganAt: event.time };
    this.open.delete(callId);
    this.tell({ tool: name, title, status, durationMs: Math.max(0, event.time - beganAt) });
  }
}
