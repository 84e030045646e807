import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { electronEditor } from '../editor/electronEditor';
import { editorSettings } from '../editor/editorSettings';
import { findOnPath } from '../editor/findOnPath';
import { OwnedProcess } from '../editor/ownedProcess';
import { repoRoot } from '../editor/repoRoot';

/**
 * Opens the folder in a desktop VS Code with the extension under development: the one on PATH, otherwise a downloaded one. Its
 * data is in `dataDir`, so it ends with this process and does not touch the user's. Undefined if there is no editor.
 */
export async function desktopEditor(folder: string, dataDir: string): Promise<OwnedProcess | undefined> {
  const program = installedEditor() ?? (await electronEditor(console.log));
  if (program === undefined) return undefined;
  const userDir = path.join(dataDir, 'User');
  await mkdir(userDir, { recursive: true });
  await writeFile(path.join(userDir, 'settings.json'), JSON.stringify(editorSettings, null, 2));
  console.log(`Opening ${folder} in ${program}. Close its window, or press Ctrl+C here, to end.`);
  const args = [
    '--wait',
    '--new-window',
    '--user-data-dir',
    dataDir,
    '--extensions-dir',
    path.join(dataDir, 'extensions'),
  ];
  // Chromium's sandbox refuses to run as root.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return new OwnedProcess(program, [...args, `--extensionDevelopmentPath=${repoRoot}`, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: program.endsWith('.cmd'),
  });
}

function installedEditor(): string | undefined {
  // In a terminal of a remote window, `code` is a helper that cannot open a development window.
  if (process.env['VSCODE_IPC_HOOK_CLI']) return undefined;
  const program = findOnPath('code');
  if (program === undefined) console.log('  (no VS Code on PATH)');
  return program;
}
