import * as vscode from 'vscode';
import { type Row, safeRow, safeWords } from '../../base/shown/safeText';

export type PickRow = vscode.QuickPickItem & Row;

interface ListOptions {
  title: string;
  placeholder: string;
  matchOnDetail?: boolean;
  keepScrollPosition?: boolean;
  ignoreFocusOut?: boolean;
}

/** A list whose rows can change while it is open and can have buttons. The text may come from anyone. */
export class PickList<T extends PickRow> {
  private readonly pick: vscode.QuickPick<T>;
  private given: readonly T[] = [];

  constructor(options: ListOptions) {
    this.pick = Object.assign(vscode.window.createQuickPick<T>(), { matchOnDescription: true }, safeWords(options));
  }

  /** As given, not as shown: rows may be set again, and would be made safe twice. */
  get rows(): readonly T[] {
    return this.given;
  }

  set rows(rows: readonly T[]) {
    this.given = rows;
    this.pick.items = rows.map(safeRow);
  }

  get active(): T | undefined {
    return this.pick.activeItems[0];
  }

  set busy(busy: boolean) {
    this.pick.busy = busy;
  }

  /** The search text. */
  get query(): string {
    return this.pick.value;
  }

  set query(query: string) {
    this.pick.value = query;
  }

  /** Calls `act` whenever the search text changes. */
  onQuery(act: (query: string) => void): void {
    this.pick.onDidChangeValue(act);
  }

  /** Activates the first matching row. */
  goTo(isMeant: (row: T) => boolean): void {
    const row = this.pick.items.find(isMeant);
    if (row) this.pick.activeItems = [row];
  }

  onButton(act: (row: T, button: vscode.QuickInputButton) => void): void {
    this.pick.onDidTriggerItemButton(({ item, button }) => act(item, button));
  }

  close(): void {
    this.pick.hide();
  }

  /** Shows the list. Resolves to the chosen row, or to undefined if it was dismissed or closed. */
  chosen(): Promise<T | undefined> {
    const { pick } = this;
    return new Promise((resolve) => {
      pick.onDidAccept(() => {
        resolve(pick.selectedItems[0]);
        pick.hide();
      });
      pick.onDidHide(() => {
        resolve(undefined);
        pick.dispose();
      });
      pick.show();
    });
  }
}

type PickOptions = Omit<vscode.QuickPickOptions, 'canPickMany'>;

/** Asks the user to pick a row. The text may come from anyone. The result is a copy of the row as shown. */
export function pickRow<T extends PickRow>(rows: readonly T[], options: PickOptions): Thenable<T | undefined> {
  return vscode.window.showQuickPick(rows.map(safeRow), safeWords(options));
}

/** Like `pickRow`, for any number of rows. */
export function pickRows<T extends PickRow>(rows: readonly T[], options: PickOptions): Thenable<T[] | undefined> {
  return vscode.window.showQuickPick(rows.map(safeRow), { ...safeWords(options), canPickMany: true });
}
