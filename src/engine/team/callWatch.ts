import type { AgentEvent } from '../events/agentEvent';
import type { ToolResult } from '../messages/toolResult';

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
