import * as vscode from 'vscode';
import { type Row, safeRow } from '../../base/shown/safeRow';

export type PickRow = vscode.QuickPickItem & Row;
type PickOptions = Omit<vscode.QuickPickOptions, 'canPickMany'>;

/** Has the person choose one row; their words may be anybody's. The row that is given back is a copy, as it was shown. */
export function pickRow<T extends PickRow>(rows: readonly T[], options: PickOptions): Thenable<T | undefined> {
  return vscode.window.showQuickPick(rows.map(safeRow), options);
}

/** As `pickRow`, any number of them. */
export function pickRows<T extends PickRow>(rows: readonly T[], options: PickOptions): Thenable<T[] | undefined> {
  return vscode.window.showQuickPick(rows.map(safeRow), { ...options, canPickMany: true });
}
