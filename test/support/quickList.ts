import type { Locator } from 'playwright-core';
import type { EditorWindow } from '../editor/editorWindow';
import { repeatUntil } from '../editor/repeatUntil';
import { TextBox } from '../editor/textBox';
import { until } from '../editor/until';

/** A list or input box of the editor, operated like a user does. */
export class QuickList {
  constructor(private readonly window: EditorWindow) {}

  /** Runs a command that opens a list and waits until keys go to it, after the previous list has closed. */
  async open(command: string): Promise<void> {
    await this.widget().waitFor({ state: 'hidden' });
    await this.window.startCommand(command);
    await this.focused();
  }

  /**
   * Opens a list and searches for a row of which the file may just have been written: lists do not change while they are open, so
   * the list is opened again until it has the row.
   */
  async openUntil(command: string, search: string, row: string | RegExp = search): Promise<void> {
    await until(`${String(row)} to be listed`, async () => {
      if (!(await this.widget().isVisible())) await this.open(command);
      await until('any rows', async () => (await this.rows()).length > 0);
      await this.input().fill(search);
      if (await this.widget().locator('.monaco-list-row', { hasText: row }).first().isVisible()) return true;
      await this.dismiss();
      return false;
    });
  }

  /** The rendered rows, including headings. */
  async rows(): Promise<string[]> {
    return (await this.widget().locator('.monaco-list-row').allInnerTexts()).map((text) => text.replaceAll('\n', ' '));
  }

  async waitForRow(text: string | RegExp): Promise<void> {
    await until(`the row ${String(text)}`, async () =>
      (await this.rows()).some((row) => (typeof text === 'string' ? row.includes(text) : text.test(row))),
    );
  }

  /** Waits until a row is preselected. */
  async waitForActive(text: RegExp): Promise<void> {
    const active = this.widget().locator('.monaco-list-row.focused');
    await until(`the active row ${String(text)}`, async () =>
      text.test((await active.first().innerText({ timeout: 5000 })).replaceAll('\n', ' ')),
    );
  }

  /** Searches for each text and waits until no row is left. */
  async waitForNone(...texts: string[]): Promise<void> {
    for (const text of texts) {
      await this.input().fill(text);
      await until(`no row with “${text}”`, async () => (await this.rows()).length === 0);
    }
  }

  row(text: string): Locator {
    return this.widget().locator('.monaco-list-row', { hasText: text }).first();
  }

  /** Presses a button that a row shows while hovered. */
  async pressButton(row: string, name: string | RegExp): Promise<void> {
    await this.row(row).hover({ timeout: 5000 });
    const buttons = this.row(row).locator('.quick-input-list-entry-action-bar');
    await buttons.getByRole('button', { name }).first().click({ timeout: 5000 });
  }

  /** Checks or unchecks a row of a list with checkboxes. */
  async toggle(text: string): Promise<void> {
    await this.input().fill(text);
    const checked = (): Promise<string | null> => this.row(text).getAttribute('aria-checked', { timeout: 5000 });
    const before = await until(`the box of “${text}”`, checked);
    await repeatUntil(
      `“${text}” to be checked or not`,
      () => this.row(text).locator('.quick-input-list-label').first().click({ timeout: 5000 }),
      async () => (await checked()) !== before,
      'redrawn',
    );
    await this.input().fill('');
  }

  /** Takes the row with this text: clicks it until the list is gone or shows other rows. The next list may have that row too. */
  async take(text: string, isTaken = (): Promise<boolean> => this.row(text).isHidden()): Promise<void> {
    await this.waitForRow(text);
    const press = (): Promise<void> => this.row(text).click({ timeout: 5000 });
    await repeatUntil(`the row “${text}” to be taken`, press, isTaken, 'redrawn');
  }

  /** Confirms the name that the editor's save dialog suggests, once it ends so. */
  async saveAs(ending: string, isWritten: () => Promise<boolean>): Promise<void> {
    await until('a name for it', async () => (await this.input().inputValue({ timeout: 5000 })).endsWith(ending));
    const press = async (): Promise<void> => {
      if (await this.widget().isVisible()) await this.input().press('Enter', { timeout: 5000 });
    };
    await repeatUntil('it to be written', press, isWritten, 'redrawn');
  }

  /** Types the answer into a text box. */
  answer(text: string): Promise<void> {
    return new TextBox(this.window).give(text);
  }

  /** Accepts the checked rows. */
  async accept(): Promise<void> {
    await this.closeWith('Enter');
  }

  /** Accepts the checked rows with the mouse. */
  pressOk(): Promise<void> {
    const press = (): Promise<void> => this.widget().getByRole('button', { name: 'OK' }).click({ timeout: 5000 });
    return repeatUntil('the list to be closed', press, () => this.widget().isHidden(), 'redrawn');
  }

  dismiss(): Promise<void> {
    return this.closeWith('Escape');
  }

  input(): Locator {
    return this.widget().locator('input.input');
  }

  /** Waits until keys go to the list: the editor focuses it only after it has shown it. */
  async focused(): Promise<void> {
    await this.widget().locator('input.input:focus').waitFor();
  }

  private closeWith(key: string): Promise<void> {
    const isClosed = (): Promise<boolean> => this.widget().isHidden();
    const press = (): Promise<void> => this.input().press(key, { timeout: 5000 });
    return repeatUntil('the list to be closed', press, isClosed, 'redrawn');
  }

  private widget(): Locator {
    return this.window.page.locator('.quick-input-widget:visible');
  }
}
