import type { AgentEvent, Engine, Log } from '../engine';
import type { LiveChat } from './liveChat';

/** Event types reported by calls. */
const OF_CALLS = new Set<AgentEvent['type']>([
  ...(['tool-prepared', 'tool-started', 'tool-progress', 'tool-finished'] as const),
  ...(['approval-requested', 'approval-answered', 'question-asked', 'question-answered'] as const),
]);

/** Finds and opens chats. */
interface Chats {
  shown: (sessionId: string) => LiveChat | undefined;
  open: (sessionId: string) => Promise<LiveChat>;
}

/**
 * Tool calls made outside a run, by a program or by the user. They appear in the chat of their session. A chat is opened for a
 * call that asks something, so that it can be answered.
 */
export class OutsideCalls {
  /** By session id, the events so far of the current call, while it is not shown anywhere. */
  private readonly unshown = new Map<string, AgentEvent[]>();

  constructor(
    private readonly engine: Pick<Engine, 'runOf'>,
    private readonly chats: Chats,
    private readonly log: Log,
  ) {}

  /** Handles every engine event. */
  take(event: AgentEvent): void {
    const { type, sessionId } = event;
    if (!OF_CALLS.has(type) || this.engine.runOf(sessionId)) return;
    const chat = this.chats.shown(sessionId);
    const waiting = this.unshown.get(sessionId);
    if (chat && !waiting) return chat.take(event);
    this.unshown.set(sessionId, [...(waiting ?? []), event]);
    if (type === 'tool-finished') this.unshown.delete(sessionId);
    if (type === 'approval-requested' || type === 'question-asked') void this.show(sessionId);
  }

  private async show(sessionId: string): Promise<void> {
    try {
      const chat = await this.chats.open(sessionId);
      for (const event of this.unshown.get(sessionId) ?? []) chat.take(event);
      this.unshown.delete(sessionId);
    } catch (error) {
      this.log.error('What a tool asks could not be shown', error);
    }
  }
}
