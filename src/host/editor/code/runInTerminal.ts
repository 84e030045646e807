import * as vscode from 'vscode';
import { t } from '../../../base/l10n';
import { safeDialog } from '../../../base/shown/shownLines';
import { askInDialog } from '../../shown/notify';
import { terminalLines } from './terminalLines';

const NAME = 'Cairn';

/**
 * Puts a shell block into a terminal and focuses it. A single line waits for the user to press Enter, unless it is to run `now`.
 * Several lines would run as they are typed, so the user is asked first, as for text that a terminal would not show as it is.
 */
export async function runInTerminal(text: string, folder: string, { now = false } = {}): Promise<void> {
  const lines = terminalLines(text);
  if (lines.length === 0) throw new Error(t('There is no command in this block.'));
  const asks = !now && (lines.length > 1 || safeDialog(text, 'exact').warning !== null);
  if (asks && !(await confirmed(lines))) return;
  const terminal =
    vscode.window.terminals.find(({ name, exitStatus }) => name === NAME && exitStatus === undefined) ??
    vscode.window.createTerminal({ name: NAME, cwd: folder });
  terminal.show();
  terminal.sendText(lines.join('\n'), now || asks);
}

async function confirmed(lines: readonly string[]): Promise<boolean> {
  const detail = lines.join('\n');
  if (!safeDialog(detail, 'exact').isWhole)
    throw new Error(
      t('These {0} lines are too long to be shown before they run. Copy them and read them first.', lines.length),
    );
  const question =
    lines.length === 1 ? t('Run this line in the terminal?') : t('Run these {0} lines in the terminal?', lines.length);
  return (await askInDialog({ question, detail, exact: 'detail' }, { title: t('Run'), means: 'run' })) === 'run';
}
