import * as vscode from 'vscode';
import { safeLabel, safeText, type Unseen } from '../../base/shown/safeText';
import { unseenWarning } from '../../base/shown/shownLines';

/** Asks the user for a line of text. Warns below the box about characters that are not visible. */
export function askText(options: vscode.InputBoxOptions): Thenable<string | undefined> {
  const { title, password } = options;
  // The initial value is not validated until it is changed.
  const prompt = unseenIn(options.value ?? '')?.message ?? options.prompt;
  return vscode.window.showInputBox({
    ...options,
    ...(title !== undefined && { title: safeLabel(title) }),
    ...(prompt !== undefined && { prompt: safeLabel(prompt) }),
    validateInput: async (text) => {
      const problem = await options.validateInput?.(text);
      if (typeof problem === 'string') return safeLabel(problem);
      if (problem) return { ...problem, message: safeLabel(problem.message) };
      return password ? undefined : unseenIn(text);
    },
  });
}

/** A page that an input box links to. */
interface LinkedPage {
  /** The button's label. */
  readonly tooltip: string;
  readonly address: string;
}

/** Asks for a secret, which is masked while typed. A button opens `page`; the input box stays open. */
export function askSecret(title: string, prompt: string, page: LinkedPage | undefined): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = safeLabel(title);
  box.prompt = safeLabel(prompt);
  box.password = true;
  box.ignoreFocusOut = true;
  if (page) box.buttons = [{ iconPath: new vscode.ThemeIcon('link-external'), tooltip: safeLabel(page.tooltip) }];
  return new Promise((resolve) => {
    const listeners = [
      box.onDidTriggerButton(() => page && vscode.env.openExternal(vscode.Uri.parse(page.address, true))),
      box.onDidAccept(() => {
        resolve(box.value);
        box.hide();
      }),
      box.onDidHide(() => {
        resolve(undefined);
        for (const listener of listeners) listener.dispose();
        box.dispose();
      }),
    ];
    box.show();
  });
}

function unseenIn(text: string): vscode.InputBoxValidationMessage | undefined {
  const found = new Set<Unseen>();
  const shown = safeText(text, 'exact', (kind) => found.add(kind));
  const warning = unseenWarning(found);
  if (warning === null) return undefined;
  return { message: safeLabel(`${warning} ${shown}`, 400), severity: vscode.InputBoxValidationSeverity.Warning };
}
