import type { SpawnOptions } from 'node:child_process';
import { OwnedProcess } from './ownedProcess';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Also copies the output to this process's own as it arrives. It is collected in any case. */
  readonly echo?: boolean;
}

export interface CommandResult {
  readonly code: number;
  /** Standard output and standard error, in the order of arrival. */
  readonly output: string;
}

/** Runs a command to completion, without input. Never rejects: a timeout or a missing command results in an exit code and a message. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const spawnOptions: SpawnOptions = {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && command === 'npm',
  };
  const owned = new OwnedProcess(command, args, spawnOptions);
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
    if (options.echo) process.stdout.write(chunk);
  };
  owned.child.stdout?.on('data', collect);
  owned.child.stderr?.on('data', collect);
  owned.child.once('error', (error) => (output += `${command} could not be started: ${error.message}\n`));
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort();
    void owned.stop();
  }, options.timeoutMs);
  const code = await owned.exited;
  clearTimeout(timer);
  if (late.signal.aborted) output += `\n${command} was ended: it took longer than ${options.timeoutMs / 1000} s.\n`;
  return { code: late.signal.aborted ? 124 : (code ?? 1), output };
}
