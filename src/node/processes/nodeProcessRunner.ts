import { stat } from 'node:fs/promises';
import { isAbort } from '../../base/abort';
import { EngineError, type ProcessRequest, type ProcessRunner } from '../../engine';
import { commandEnvironment } from '../secretVariables';
import { type ShellDialect, shellDialect } from '../shellDialect';
import { runChild } from './runChild';

/** Runs commands in the platform's shell, with `env` minus its secrets. */
export function nodeProcessRunner(env: NodeJS.ProcessEnv): ProcessRunner {
  const shell = shellDialect(env);
  return {
    async run({ command, ...request }, signal) {
      const { file, verbatim } = shell;
      try {
        const child = { ...request, file, args: shell.args(command), env: commandEnvironment(env), verbatim };
        return await runChild(child, signal);
      } catch (error) {
        if (isAbort(error)) throw error;
        throw await startFailure(error, request, shell);
      }
    },
  };
}

async function startFailure(
  error: unknown,
  { cwd }: Pick<ProcessRequest, 'cwd'>,
  { file }: ShellDialect,
): Promise<EngineError> {
  const folder = await stat(cwd).catch(() => null);
  const why = error instanceof Error ? error.message : String(error);
  const message = folder?.isDirectory()
    ? `The command could not be started with ${file}: ${why}. A very long command belongs in a script file.`
    : `The command could not be started: there is no folder ${cwd} to run it in.`;
  return new EngineError('io', message, { cause: error });
}
