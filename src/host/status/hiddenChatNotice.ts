import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ChatState } from '../../protocol/chatState';
import type { LiveChat } from '../../chat/liveChat';
import type { ChatSurfaces } from '../chat/chatSurfaces';
import { notify } from '../shown/notify';

/** Tells a person who does not see the chat that it waits for them or has answered: once for each thing. */
export class HiddenChatNotice implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly told = new Set<string>();
  private wasRunning: boolean;

  constructor(
    private readonly chat: LiveChat,
    private readonly surfaces: ChatSurfaces,
    private readonly reveal: (sessionId: string) => Promise<void>,
  ) {
    this.wasRunning = chat.told.run !== null;
    this.disposables.add(chat.onEvents(() => this.look()));
    this.disposables.add(surfaces.onChange(() => this.look()));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private look(): void {
    const state = this.chat.told;
    // The chat above says it.
    if (this.chat.session.metadata.parent) return;
    const hidden = !this.surfaces.showing(state.sessionId).some(({ visible }) => visible);
    const answered = this.wasRunning && state.run === null;
    this.wasRunning = state.run !== null;
    const waiting = waitingIn(state);
    // What the person has seen in the panel is not told again when they hide it.
    const fresh = waiting.filter(({ id }) => !this.told.has(id));
    for (const { id } of fresh) this.told.add(id);
    if (!hidden) return;
    const words = fresh[0]?.words ?? (answered ? endOf(state) : undefined);
    if (words !== undefined) void this.tell(words);
  }

  private async tell(words: string): Promise<void> {
    const open = 'Open chat';
    if ((await notify('info', words, open)) === open) await this.reveal(this.chat.session.id);
  }
}

function waitingIn({ approvals, questions }: ChatState): { id: string; words: string }[] {
  return [
    ...approvals.map(({ approvalId, title }) => ({ id: approvalId, words: `Cairn waits for your approval: ${title}` })),
    ...questions.map(({ questionId, question }) => ({ id: questionId, words: `Cairn asks: ${question}` })),
  ];
}

function endOf({ entries, title }: ChatState): string | undefined {
  const turn = entries.findLast(({ kind }) => kind === 'turn');
  if (turn?.kind !== 'turn') return undefined;
  if (turn.outcome === 'completed') return `Cairn has answered: ${title}`;
  return turn.outcome === 'failed' || turn.outcome === 'limit-reached' ? `Cairn could not finish: ${title}` : undefined;
}
