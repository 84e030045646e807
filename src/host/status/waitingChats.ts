import { type Disposable, DisposableStore, onDispose } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { t } from '../../base/l10n';
import type { Log } from '../../engine';
import type { LiveChat } from '../../chat/liveChat';

/** A session with requests waiting for the user, including those of agents started in it. */
export interface WaitingChat {
  sessionId: string;
  title: string;
  /** The number of approvals and questions. */
  count: number;
}

/** Tracks which sessions are waiting for the user, whether shown or not. */
export class WaitingChats implements Disposable {
  private readonly chats = new Set<LiveChat>();
  private readonly changes: Emitter<undefined>;
  private told = '';

  constructor(log: Log) {
    this.changes = new Emitter((error) => log.error('The waiting sessions could not be shown', error));
  }

  /** The waiting sessions, in the order in which they were opened. */
  get all(): WaitingChat[] {
    const ids = new Set([...this.chats].map(({ session }) => session.id));
    return [...this.chats].flatMap(({ session, told: { approvals, questions, title } }) => {
      const count = approvals.length + questions.length;
      const { parent } = session.metadata;
      // An agent's requests are counted in the session that started it.
      if (count === 0 || (parent && ids.has(parent.sessionId))) return [];
      return [{ sessionId: session.id, title: title || t('New session'), count }];
    });
  }

  /** Calls the listener when the waiting sessions or their requests change. */
  onChange(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  /** Tracks a chat until disposed. */
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
