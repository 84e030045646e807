import type { AgentEvent } from '../events/agentEvent';
import type { ToolResult } from '../messages/toolResult';

/** Reports when an agent or one of its descendants starts to wait for the user, and when none of them does anymore. */
export class AskWatch {
  private readonly open = new Set<string>();

  constructor(private readonly tell: (isAsking: boolean) => void) {}

  take(event: AgentEvent): void {
    if (event.type === 'approval-requested') this.add(event.request.id);
    else if (event.type === 'question-asked') this.add(event.question.id);
    else if (event.type === 'approval-answered') this.remove(event.requestId);
    else if (event.type === 'question-answered') this.remove(event.questionId);
  }

  /** Called when the agent has ended, and with it everything it waited for. */
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

/** A summary of a tool call. */
export interface MadeCall {
  readonly tool: string;
  /** Title of the call, for people. */
  readonly title: string;
  readonly status: ToolResult['status'];
  /** Includes the time spent waiting for the user. */
  readonly durationMs: number;
}

/** Reports each call of an agent once it has ended, excluding those of its children. */
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
