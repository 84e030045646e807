import * as vscode from 'vscode';
import { type Row, safeRow } from '../../base/shown/safeLabel';

export type PickRow = vscode.QuickPickItem & Row;

interface ListOptions {
  title: string;
  placeholder: string;
  matchOnDetail?: boolean;
  keepScrollPosition?: boolean;
  ignoreFocusOut?: boolean;
}

/** A list whose rows come and change while it is open, or have buttons; their words may be anybody's. */
export class PickList<T extends PickRow> {
  private readonly pick: vscode.QuickPick<T>;

  constructor(options: ListOptions) {
    this.pick = Object.assign(vscode.window.createQuickPick<T>(), { matchOnDescription: true }, options);
  }

  get rows(): readonly T[] {
    return this.pick.items;
  }

  set rows(rows: readonly T[]) {
    this.pick.items = rows.map(safeRow);
  }

  get active(): T | undefined {
    return this.pick.activeItems[0];
  }

  set busy(busy: boolean) {
    this.pick.busy = busy;
  }

  /** What is typed to find a row. */
  get query(): string {
    return this.pick.value;
  }

  set query(query: string) {
    this.pick.value = query;
  }

  /** Told what is typed whenever that changes. */
  onQuery(act: (query: string) => void): void {
    this.pick.onDidChangeValue(act);
  }

  /** Goes to the first of the rows that is meant. */
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

  /** Opens it. Gives the row that was taken, undefined when the person left or it was closed. */
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

/** Has the person choose one row; their words may be anybody's. The row that is given back is a copy, as it was shown. */
export function pickRow<T extends PickRow>(rows: readonly T[], options: PickOptions): Thenable<T | undefined> {
  return vscode.window.showQuickPick(rows.map(safeRow), options);
}

/** As `pickRow`, any number of them. */
export function pickRows<T extends PickRow>(rows: readonly T[], options: PickOptions): Thenable<T[] | undefined> {
  return vscode.window.showQuickPick(rows.map(safeRow), { ...options, canPickMany: true });
}
