import { readFileSync } from 'node:fs';
import { arch, release } from 'node:os';
import { basename } from 'node:path';
import type { MachineFacts } from '../engine';
import { shellDialect, shellName } from './shellDialect';

/** Returns the facts about this machine that prompts may mention. */
export function machineFacts(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Omit<MachineFacts, 'platform'> {
  // On Windows, ComSpec is always cmd, but terminals default to PowerShell.
  const shell = env['SHELL'] ?? (platform === 'win32' ? 'powershell' : undefined);
  return {
    distribution: distributionOf,
    architecture: arch(),
    commandShell: () => shellName(shellDialect(env, platform).file),
    ...(shell && { shell: basename(shell.replaceAll('\\', '/')).replace(/\.exe$/i, '') }),
    locale: () => Intl.DateTimeFormat().resolvedOptions().locale,
  };
}

function distributionOf(): string | undefined {
  if (process.platform === 'darwin') return `macOS (Darwin ${release()})`;
  if (process.platform === 'win32') return `Windows ${release()}`;
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  } catch {
    // Without that file, only the kernel identifies the system.
    return undefined;
  }
}
