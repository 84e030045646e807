import type { AgentEvent, Engine, Log } from '../engine';
import type { LiveChat } from './liveChat';

/** What a call tells of itself. */
const OF_CALLS = new Set<AgentEvent['type']>([
  ...(['tool-prepared', 'tool-started', 'tool-progress', 'tool-finished'] as const),
  ...(['approval-requested', 'approval-answered', 'question-asked', 'question-answered'] as const),
]);

/** Where chats are found, and opened. */
interface Chats {
  shown: (sessionId: string) => LiveChat | undefined;
  open: (sessionId: string) => Promise<LiveChat>;
}

/**
 * Calls of tools outside of a run, which a program or a person makes: they are shown in the chat of their session, and a chat is
 * opened for one that asks, so that there is somebody to answer.
 */
export class OutsideCalls {
  /** By session, what was told of the call that is under way and shown nowhere. */
  private readonly unshown = new Map<string, AgentEvent[]>();

  constructor(
    private readonly engine: Pick<Engine, 'runOf'>,
    private readonly chats: Chats,
    private readonly log: Log,
  ) {}

  /** Takes every event of the engine. */
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
