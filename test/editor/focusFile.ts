import type { EditorWindow } from './editorWindow';

/**
 * Opens a file in the text editor, optionally with the caret at a place (1-based), and waits until it has the focus:
 * keys, and commands of the editor such as undo, go to what has it.
 */
export async function focusFile(
  window: EditorWindow,
  path: string,
  caret?: { line: number; column: number },
): Promise<void> {
  await window.ev(
    async ({ vscode }, to) => {
      const document = await vscode.workspace.openTextDocument(to.path);
      const place = to.caret && new vscode.Position(to.caret.line - 1, to.caret.column - 1);
      await vscode.window.showTextDocument(document, {
        preview: false,
        ...(place && { selection: new vscode.Range(place, place) }),
      });
      return null;
    },
    { path, caret },
  );
  await textEditorFocused(window);
}

/** Waits until keys go to a text editor. */
export async function textEditorFocused({ page }: EditorWindow): Promise<void> {
  await page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
}
