import * as vscode from 'vscode';
import { safeNotice } from '../../base/shown/safeNotice';

/** Shows a notification while work is done, with a button that ends it. Undefined when the person pressed that. */
export async function withCancel<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const location = vscode.ProgressLocation.Notification;
  const progress = { location, title: safeNotice(title), cancellable: true };
  return vscode.window.withProgress(progress, async (_, token) => {
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    try {
      return await work(abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return undefined;
      throw error;
    } finally {
      listening.dispose();
    }
  });
}
