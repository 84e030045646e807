import type { AgentEvent } from '../events/agentEvent';

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
