import type { Locator } from 'playwright-core';
import type { EditorWindow } from '../editor/editorWindow';
import { repeatUntil } from '../editor/repeatUntil';
import { until } from '../editor/until';

/** A list or an input box of the editor, as a person uses it. */
export class QuickList {
  constructor(private readonly window: EditorWindow) {}

  /** Runs a command that opens one, and waits for it. The one of a step before is not taken for it. */
  async open(command: string): Promise<void> {
    await this.widget().waitFor({ state: 'hidden' });
    await this.window.startCommand(command);
    await this.input().waitFor();
  }

  /** The rows that are drawn, headings included. */
  async rows(): Promise<string[]> {
    return (await this.widget().locator('.monaco-list-row').allInnerTexts()).map((text) => text.replaceAll('\n', ' '));
  }

  async waitForRow(text: string | RegExp): Promise<void> {
    await until(`the row ${String(text)}`, async () =>
      (await this.rows()).some((row) => (typeof text === 'string' ? row.includes(text) : text.test(row))),
    );
  }

  row(text: string): Locator {
    return this.widget().locator('.monaco-list-row', { hasText: text }).first();
  }

  /** Presses one of the buttons that a row has while the mouse is over it. */
  async pressButton(row: string, name: string | RegExp): Promise<void> {
    await this.row(row).hover({ timeout: 5000 });
    const buttons = this.row(row).locator('.quick-input-list-entry-action-bar');
    await buttons.getByRole('button', { name }).first().click({ timeout: 5000 });
  }

  /** Checks or unchecks a row of a list with boxes. */
  async toggle(text: string): Promise<void> {
    await this.input().fill(text);
    await this.row(text).locator('.quick-input-list-label, .quick-input-list-entry').first().click();
    await this.input().fill('');
  }

  /** Types what an input box asks for. */
  async answer(text: string): Promise<void> {
    await this.input().waitFor();
    await this.input().fill(text);
    await this.accept();
  }

  async accept(): Promise<void> {
    await this.input().press('Enter');
  }

  async dismiss(): Promise<void> {
    const isClosed = async (): Promise<boolean> => this.widget().isHidden();
    await repeatUntil(
      'the list to be closed',
      () => this.input().press('Escape', { timeout: 5000 }),
      isClosed,
      'redrawn',
    );
  }

  input(): Locator {
    return this.widget().locator('input.input');
  }

  private widget(): Locator {
    return this.window.page.locator('.quick-input-widget:visible');
  }
}
