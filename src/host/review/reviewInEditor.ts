import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { BASELINE_SCHEME } from '../contributionPoints';
import { BaselineContent } from './baselineContent';
import type { ReviewLedger } from './reviewLedger';
import { ReviewLenses } from './reviewLenses';
import { ReviewScm } from './reviewScm';

/** Everything by which the editor shows what is left to review. */
export function reviewInEditor(ledger: ReviewLedger): Disposable {
  const parts = new DisposableStore();
  const content = parts.add(new BaselineContent(ledger));
  parts.add(vscode.workspace.registerTextDocumentContentProvider(BASELINE_SCHEME, content));
  parts.add(new ReviewLenses(ledger));
  parts.add(new ReviewScm(ledger));
  return parts;
}
