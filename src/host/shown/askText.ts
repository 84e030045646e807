import * as vscode from 'vscode';
import { safeLabel } from '../../base/shown/safeLabel';
import { safeText, type Unseen } from '../../base/shown/safeText';
import { unseenWarning } from '../../base/shown/shownLines';

/** Asks the person for a line of text. What they are not shown of it is told below the box. */
export function askText(options: vscode.InputBoxOptions): Thenable<string | undefined> {
  const { title, password } = options;
  // What stands in the box at first is validated when it is changed.
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

function unseenIn(text: string): vscode.InputBoxValidationMessage | undefined {
  const found = new Set<Unseen>();
  const shown = safeText(text, 'exact', (kind) => found.add(kind));
  const warning = unseenWarning(found);
  if (warning === null) return undefined;
  return { message: safeLabel(`${warning} ${shown}`, 400), severity: vscode.InputBoxValidationSeverity.Warning };
}
