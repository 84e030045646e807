import { join } from 'node:path';
import type * as vscode from 'vscode';
import { type Engine, type FileSystem, type Log, textOf, titleFrom } from '../../engine';
import { ReviewLedger } from './reviewLedger';
import { ReviewStore } from './reviewStore';

/** The ledger of this workspace, with what was left to review when its window was closed. */
export function openLedger(
  { storageUri }: vscode.ExtensionContext,
  files: FileSystem,
  log: Log,
  titleOf: (sessionId: string) => Promise<string>,
): ReviewLedger {
  const store = storageUri && new ReviewStore(join(storageUri.fsPath, 'review.json'), files, log);
  const ledger = new ReviewLedger({ files, store, titleOf, log });
  ledger.restore().catch((error: unknown) => log.error('What was left to review could not be taken up again', error));
  return ledger;
}

/** What was asked last in a session, short. */
export async function lastWords({ sessions }: Engine, sessionId: string): Promise<string> {
  const { messages } = await sessions.open(sessionId);
  const last = messages.findLast((message) => message.role === 'user');
  return last?.role === 'user' ? titleFrom(textOf(last)) : 'Changes by the agent';
}
