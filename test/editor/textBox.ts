import type { Locator } from 'playwright-core';
import type { EditorWindow } from './editorWindow';
import { repeatUntil } from './repeatUntil';
import { until } from './until';

/** The text box in which the editor asks for input. It may follow a list in the same widget, whose filter input does not count. */
export class TextBox {
  constructor(private readonly window: EditorWindow) {}

  /** Types into the text box once it is open. */
  async type(text: string): Promise<void> {
    await until('the text box of the editor to be filled', async () => {
      if ((await this.widget().count()) === 0) return false;
      if (await this.widget().locator('.quick-input-list').isVisible()) return false;
      await this.input().fill(text, { timeout: 5000 });
      return (await this.input().inputValue({ timeout: 5000 })) === text;
    });
  }

  /** Types into the text box and confirms it with Enter. */
  async give(text: string): Promise<void> {
    await this.type(text);
    const isTaken = async (): Promise<boolean> =>
      (await this.input().count()) === 0 || (await this.input().inputValue({ timeout: 1000 })) !== text;
    await repeatUntil(
      `“${text}” to be taken`,
      () => this.input().press('Enter', { timeout: 5000 }),
      isTaken,
      'redrawn',
    );
  }

  private input(): Locator {
    return this.widget().locator('input.input');
  }

  private widget(): Locator {
    return this.window.page.locator('.quick-input-widget:visible');
  }
}
