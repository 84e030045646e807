import type * as vscode from 'vscode';

/** A button under a question. It is told apart from the others by what it means: in some language two may have the same words. */
export interface ChoiceButton<T extends string> extends vscode.MessageItem {
  means: T;
}
