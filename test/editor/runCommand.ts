import type { SpawnOptions } from 'node:child_process';
import { OwnedProcess } from './ownedProcess';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Copy the output to ours as it comes. It is collected in any case. */
  readonly echo?: boolean;
}

export interface CommandResult {
  readonly code: number;
  /** Standard output and errors, in the order they came. */
  readonly output: string;
}

/** Runs a command to its end, without input. Never rejects: a time-out or a missing command is an exit code with words. */
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
