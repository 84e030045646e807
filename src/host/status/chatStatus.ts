import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { LiveChat } from '../chat/liveChat';
import { CONTEXT_APPROVAL, CONTEXT_RUNNING } from '../contributionPoints';

/** Tells the editor about the chat shown: context keys for commands, and a badge while the person is waited for. */
export class ChatStatus implements Disposable {
  private readonly disposables = new DisposableStore();
  private running = false;
  private waiting = 0;

  constructor(
    private readonly chat: LiveChat,
    private readonly view: vscode.WebviewView,
  ) {
    this.disposables.add(chat.onEvents(() => this.update()));
    this.tell();
    this.update();
  }

  dispose(): void {
    this.disposables.dispose();
    this.running = false;
    this.waiting = 0;
    this.tell();
  }

  private update(): void {
    const { run, approvals, questions } = this.chat.told;
    const waiting = approvals.length + questions.length;
    const running = run !== null;
    if (running === this.running && waiting === this.waiting) return;
    this.running = running;
    this.waiting = waiting;
    this.tell(approvals.length > 0);
  }

  private tell(approvalPending = false): void {
    void vscode.commands.executeCommand('setContext', CONTEXT_RUNNING, this.running);
    void vscode.commands.executeCommand('setContext', CONTEXT_APPROVAL, approvalPending);
    const tooltip = this.waiting === 1 ? 'Cairn waits for you' : `Cairn waits for ${this.waiting} answers of yours`;
    this.view.badge = this.waiting > 0 ? { value: this.waiting, tooltip } : undefined;
  }
}
