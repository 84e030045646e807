import { join } from 'node:path';

/** Where editors keep their own ripgrep; it moved with 1.122, and forks keep older places. None of it is API. */
export function editorRipgrep(appRoot: string): string[] {
  const binary = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const platform = `${process.platform}-${process.arch}`;
  return [
    join(appRoot, 'node_modules', '@vscode', 'ripgrep-universal', 'bin', platform, binary),
    join(appRoot, 'node_modules', '@vscode', 'ripgrep', 'bin', binary),
    join(appRoot, 'node_modules.asar.unpacked', '@vscode', 'ripgrep', 'bin', binary),
  ];
}
