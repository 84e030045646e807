import { type Disposable, DisposableStore, onDispose } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { t } from '../../base/l10n';
import type { Log } from '../../engine';
import type { LiveChat } from '../../chat/liveChat';

/** A session in which something waits for the person, also of the agents that were started in it. */
export interface WaitingChat {
  sessionId: string;
  title: string;
  /** How many approvals and questions. */
  count: number;
}

/** Which sessions wait for the person, shown or not. */
export class WaitingChats implements Disposable {
  private readonly chats = new Set<LiveChat>();
  private readonly changes: Emitter<undefined>;
  private told = '';

  constructor(log: Log) {
    this.changes = new Emitter((error) => log.error('The waiting sessions could not be shown', error));
  }

  /** Those that wait, the one that was opened first before the others. */
  get all(): WaitingChat[] {
    const ids = new Set([...this.chats].map(({ session }) => session.id));
    return [...this.chats].flatMap(({ session, told: { approvals, questions, title } }) => {
      const count = approvals.length + questions.length;
      const { parent } = session.metadata;
      // What an agent asks is counted where the agent was started.
      if (count === 0 || (parent && ids.has(parent.sessionId))) return [];
      return [{ sessionId: session.id, title: title || t('New session'), count }];
    });
  }

  /** Told when other sessions wait, or with other requests. */
  onChange(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  /** Watches a chat until it is disposed. */
  follow(chat: LiveChat): Disposable {
    const disposables = new DisposableStore();
    this.chats.add(chat);
    disposables.add(chat.onEvents(() => this.look()));
    disposables.add(onDispose(() => this.chats.delete(chat)));
    this.look();
    return disposables;
  }

  dispose(): void {
    this.changes.dispose();
    this.chats.clear();
  }

  private look(): void {
    const now = JSON.stringify(this.all);
    if (now === this.told) return;
    this.told = now;
    this.changes.emit(undefined);
  }
}
