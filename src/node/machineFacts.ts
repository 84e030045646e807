import { existsSync, readFileSync } from 'node:fs';
import { arch, release } from 'node:os';
import path, { basename } from 'node:path';
import type { MachineFacts } from '../engine';

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

/** How to run a command line on this machine. */
export interface ShellDialect {
  file: string;
  /** Returns the shell's arguments to run the line, with both outputs in one stream if possible. */
  args(command: string): string[];
  /** Windows: the arguments are already quoted. */
  verbatim: boolean;
}

const POSIX_SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/bin/sh'];

/** Returns bash or else sh; on Windows PowerShell or else cmd. */
export function shellDialect(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
  exists: (file: string) => boolean = existsSync,
): ShellDialect {
  if (platform === 'win32') return windowsShell(env, exists);
  const file = POSIX_SHELLS.find(exists) ?? 'sh';
  // A single pipe keeps both outputs in the order they were written.
  return { file, args: (command) => ['-c', `exec 2>&1; ${command}`], verbatim: false };
}

function windowsShell(env: NodeJS.ProcessEnv, exists: (file: string) => boolean): ShellDialect {
  const root = env['SystemRoot'] ?? 'C:\\Windows';
  const powershell = path.win32.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  if (exists(powershell)) return { file: powershell, args: powershellArguments, verbatim: false };
  return { file: env['ComSpec'] ?? 'cmd.exe', args: (command) => ['/d', '/s', '/c', `"${command}"`], verbatim: true };
}

/** Encoded, because no quoting survives both Windows and PowerShell. The exit code is that of the last program. */
function powershellArguments(command: string): string[] {
  const script = [
    "$ProgressPreference = 'SilentlyContinue'",
    '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
    command,
    '$succeeded = $?',
    'if ($LASTEXITCODE) { exit $LASTEXITCODE }',
    'if (-not $succeeded) { exit 1 }',
  ].join('\n');
  const encoded = Buffer.from(script, 'utf16le').toString('base64');
  return ['-NoProfile', '-NonInteractive', '-OutputFormat', 'Text', '-EncodedCommand', encoded];
}

/** Describes the shell to models, with its pitfalls. */
export function shellName(file: string): string {
  const name = basename(file.replaceAll('\\', '/')).replace(/\.exe$/i, '');
  return name === 'powershell' ? 'Windows PowerShell 5.1 (it has no && and ||: use `;` or `if ($?) { … }`)' : name;
}
