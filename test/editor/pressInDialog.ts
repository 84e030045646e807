import type { EditorWindow } from './editorWindow';
import { repeatUntil } from './repeatUntil';

/** Presses a button of the editor's own dialog and waits until the dialog is closed. */
export async function pressInDialog({ page }: EditorWindow, label: string): Promise<void> {
  const button = page.locator('.monaco-dialog-box').getByRole('button', { name: label, exact: true });
  await button.waitFor();
  await repeatUntil(
    `the dialogue to take “${label}”`,
    () => button.click({ timeout: 5000 }),
    () => button.isHidden(),
    'redrawn',
  );
}
