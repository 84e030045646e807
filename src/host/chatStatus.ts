import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter, onDispose } from '../base/disposable';
import { t } from '../base/l10n';
import { safeLabel, safeLine } from '../base/shown/safeText';
import type { LiveChat } from '../chat/liveChat';
import type { Log } from '../engine';
import type { ChatState } from '../protocol/chatState';
import { costWords } from '../protocol/costWords';
import type { ChatSurface, ChatSurfaces } from './chat/chatSurfaces';
import { commandId, CONTEXT_APPROVAL, CONTEXT_RUNNING } from './contributionPoints';
import { notify } from './shown/notify';
import { shownLanguage } from './shown/shownLanguage';

/**
 * Shows the state of the chat used last, and every session waiting for the user, in a status bar item, context keys, and the
 * panel's badge.
 */
export class ChatStatus implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly item = vscode.window.createStatusBarItem('status', vscode.StatusBarAlignment.Right, 50);
  private following: Disposable | undefined;
  private surface: ChatSurface | undefined;
  private told = '';

  constructor(
    private readonly surfaces: ChatSurfaces,
    private readonly waitingChats: WaitingChats,
  ) {
    this.disposables.add(this.item);
    this.item.name = 'Cairn';
    this.disposables.add(surfaces.onChange(() => this.follow()));
    this.disposables.add(waitingChats.onChange(() => this.update()));
    this.follow();
  }

  dispose(): void {
    this.following?.dispose();
    this.disposables.dispose();
    setContext(undefined);
  }

  private follow(): void {
    this.following?.dispose();
    const { active } = this.surfaces;
    this.surface = active;
    // Another panel may not have a badge yet.
    this.told = '';
    this.following = active?.controller.chat?.onEvents(() => this.update());
    this.update();
  }

  private update(): void {
    const chat = this.surface?.controller.chat?.told;
    const all = this.waitingChats.all;
    const others = all.filter(({ sessionId }) => sessionId !== chat?.sessionId);
    const isWaiting = chat !== undefined && chat.approvals.length + chat.questions.length > 0;
    // A hidden session that waits takes precedence over the visible chat's own activity.
    const first = isWaiting ? undefined : others[0];
    const words = first ? `$(bell-dot) ${t('Waiting for you: {0}', safeLabel(first.title))}` : statusText(chat);
    const count = all.reduce((sum, one) => sum + one.count, 0);
    const now = JSON.stringify([words, all, isWaiting, chat?.run === null, chat?.model.id]);
    if (now === this.told) return;
    this.told = now;
    this.item.text = words;
    this.item.tooltip = [
      ...tooltipOf(chat),
      ...others.map(({ title }) => t('Waiting for you: {0}', safeLine(title))),
    ].join('\n');
    this.item.command = first
      ? { command: commandId('openChat'), title: t('Open the waiting session'), arguments: [first.sessionId] }
      : commandId('openChat');
    const isAnyWaiting = isWaiting || first !== undefined;
    this.item.backgroundColor = isAnyWaiting ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.show();
    setContext(chat);
    const tooltip = count === 1 ? t('1 request needs your attention') : t('{0} requests need your attention', count);
    for (const one of this.surfaces.badged) one.setBadge?.(count > 0 ? { value: count, tooltip } : undefined);
  }
}

function setContext(chat: ChatState | undefined): void {
  void vscode.commands.executeCommand('setContext', CONTEXT_RUNNING, (chat?.run ?? null) !== null);
  void vscode.commands.executeCommand('setContext', CONTEXT_APPROVAL, (chat?.approvals.length ?? 0) > 0);
}

function stateOf({ run, approvals, questions }: ChatState): { icon: string; words: string } {
  if (approvals.length + questions.length > 0) return { icon: 'bell-dot', words: t('Waiting for you') };
  if (run) return { icon: 'loading~spin', words: run.state === 'stopping' ? t('Stopping') : t('Thinking') };
  return { icon: 'comment-discussion', words: t('Idle') };
}

function statusText(chat: ChatState | undefined): string {
  if (!chat) return '$(comment-discussion) Cairn';
  const { icon, words } = stateOf(chat);
  const tokens = tokensOf(chat);
  const model = safeLabel(chat.model.label);
  const what = chat.run === null && chat.approvals.length + chat.questions.length === 0 ? model : `${words} · ${model}`;
  const { costUsd } = chat.usage;
  const cost = costUsd === null || costUsd === 0 ? '' : ` · ${costWords(costUsd)}`;
  return `$(${icon}) ${what}${tokens > 0 ? ` · ${shortCount(tokens)}${cost}` : ''}`;
}

function tooltipOf(chat: ChatState | undefined): string[] {
  if (!chat) return [t('Open the chat')];
  const { inputTokens, outputTokens, costUsd } = chat.usage;
  return [
    t('Cairn: {0}', stateOf(chat).words),
    ...(chat.title ? [t('Session: {0}', safeLine(chat.title))] : []),
    t('Model: {0}', safeLine(chat.model.id)),
    t(
      'Session tokens: {0} in, {1} out',
      ...[inputTokens, outputTokens].map((tokens) => tokens.toLocaleString(shownLanguage())),
    ),
    ...(costUsd === null ? [] : [t('Session cost: {0}', costWords(costUsd))]),
  ];
}

function tokensOf({ usage }: ChatState): number {
  return usage.inputTokens + usage.outputTokens;
}

function shortCount(tokens: number): string {
  if (tokens < 1000) return tokens === 1 ? t('1 token') : t('{0} tokens', tokens);
  return tokens < 1_000_000
    ? t('{0}k tokens', (tokens / 1000).toFixed(1))
    : t('{0}M tokens', (tokens / 1_000_000).toFixed(1));
}

/** Notifies a user who does not see the chat that it is waiting for them or has answered, once per event. */
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
    // The parent chat reports it.
    if (this.chat.session.metadata.parent) return;
    const isVisible = this.surfaces.showing(state.sessionId).some(({ visible }) => visible);
    // A user working in another application sees the notification on returning.
    const hidden = !isVisible || !vscode.window.state.focused;
    const answered = this.wasRunning && state.run === null;
    this.wasRunning = state.run !== null;
    const waiting = waitingIn(state);
    // What the user has seen in the panel is not reported again once they hide it.
    const fresh = waiting.filter(({ id }) => !this.told.has(id));
    for (const { id } of fresh) this.told.add(id);
    if (!hidden) return;
    const words = fresh[0]?.words ?? (answered ? endOf(state) : undefined);
    if (words !== undefined) void this.tell(words);
  }

  private async tell(words: string): Promise<void> {
    const open = { title: t('Open Chat'), means: 'open' };
    if (await notify('info', words, open)) await this.reveal(this.chat.session.id);
  }
}

function waitingIn({ approvals, questions }: ChatState): { id: string; words: string }[] {
  return [
    ...approvals.map(({ approvalId, title }) => ({
      id: approvalId,
      words: t('Cairn is waiting for your approval: {0}', title),
    })),
    ...questions.map(({ questionId, question }) => ({ id: questionId, words: t('Cairn asks: {0}', question) })),
  ];
}

function endOf({ entries, title }: ChatState): string | undefined {
  const turn = entries.findLast(({ kind }) => kind === 'turn');
  if (turn?.kind !== 'turn') return undefined;
  if (turn.outcome === 'completed') return t('Cairn has answered: {0}', title);
  return turn.outcome === 'failed' || turn.outcome === 'limit-reached'
    ? t('Cairn could not finish: {0}', title)
    : undefined;
}

/** A session with requests waiting for the user, including those of agents started in it. */
interface WaitingChat {
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
