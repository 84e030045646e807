import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ChatState } from '../../protocol/chatState';
import { costWords } from '../../protocol/costWords';
import type { ChatSurface } from '../chat/chatSurface';
import type { ChatSurfaces } from '../chat/chatSurfaces';
import { COMMANDS, CONTEXT_APPROVAL, CONTEXT_RUNNING } from '../contributionPoints';

/** Tells the editor about the chat used last: a status bar item, context keys for commands, and the panel's badge. */
export class ChatStatus implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly item = vscode.window.createStatusBarItem('status', vscode.StatusBarAlignment.Right, 50);
  private following: Disposable | undefined;
  private surface: ChatSurface | undefined;
  private told = '';

  constructor(private readonly surfaces: ChatSurfaces) {
    this.disposables.add(this.item);
    this.item.name = 'Cairn';
    this.item.command = COMMANDS.openChat;
    this.disposables.add(surfaces.onChange(() => this.follow()));
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
    if (active !== this.surface) this.surface?.setBadge?.(undefined);
    this.surface = active;
    this.following = active?.controller.chat?.onEvents(() => this.update());
    this.update();
  }

  private update(): void {
    const chat = this.surface?.controller.chat?.told;
    const words = chat ? statusText(chat) : '$(comment-discussion) Cairn';
    const waiting = chat ? chat.approvals.length + chat.questions.length : 0;
    const now = JSON.stringify([words, waiting, chat?.run === null, chat?.model.id]);
    if (now === this.told) return;
    this.told = now;
    this.item.text = words;
    this.item.tooltip = chat ? tooltipOf(chat) : 'Open the chat';
    this.item.backgroundColor = waiting > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.show();
    setContext(chat);
    const tooltip = waiting === 1 ? 'Cairn waits for you' : `Cairn waits for ${waiting} answers of yours`;
    this.surface?.setBadge?.(waiting > 0 ? { value: waiting, tooltip } : undefined);
  }
}

function setContext(chat: ChatState | undefined): void {
  void vscode.commands.executeCommand('setContext', CONTEXT_RUNNING, (chat?.run ?? null) !== null);
  void vscode.commands.executeCommand('setContext', CONTEXT_APPROVAL, (chat?.approvals.length ?? 0) > 0);
}

function stateOf({ run, approvals, questions }: ChatState): { icon: string; words: string } {
  if (approvals.length + questions.length > 0) return { icon: 'bell-dot', words: 'Waiting for you' };
  if (run) return { icon: 'loading~spin', words: run.state === 'stopping' ? 'Stopping' : 'Thinking' };
  return { icon: 'comment-discussion', words: 'Idle' };
}

function statusText(chat: ChatState): string {
  const { icon, words } = stateOf(chat);
  const tokens = tokensOf(chat);
  const what = words === 'Idle' ? chat.model.label : `${words} · ${chat.model.label}`;
  const { costUsd } = chat.usage;
  const cost = costUsd === null || costUsd === 0 ? '' : ` · ${costWords(costUsd)}`;
  return `$(${icon}) ${what}${tokens > 0 ? ` · ${shortCount(tokens)}${cost}` : ''}`;
}

function tooltipOf(chat: ChatState): string {
  const { inputTokens, outputTokens, costUsd } = chat.usage;
  return [
    `Cairn: ${stateOf(chat).words.toLowerCase()}`,
    ...(chat.title ? [`Session: ${chat.title}`] : []),
    `Model: ${chat.model.id}`,
    `Tokens of the session: ${inputTokens.toLocaleString()} in, ${outputTokens.toLocaleString()} out`,
    ...(costUsd === null ? [] : [`Cost of the session: ${costWords(costUsd)}`]),
  ].join('\n');
}

function tokensOf({ usage }: ChatState): number {
  return usage.inputTokens + usage.outputTokens;
}

function shortCount(tokens: number): string {
  if (tokens < 1000) return `${tokens} tokens`;
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k tokens` : `${(tokens / 1_000_000).toFixed(1)}M tokens`;
}
