import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/disposable';
import type { Log } from '../../engine';
import type { TerminalOutputs } from './terminalOutputs';

/** Records the output of commands in the editor's terminals from now on. The recording code is loaded with the first command. */
export function followTerminals(disposables: DisposableStore, log: Log): TerminalOutputs {
  const outputs: TerminalOutputs = { all: [], count: 0 };
  const keep = async (execution: vscode.TerminalShellExecution, pieces: AsyncIterable<string>) =>
    (await import('./terminalOutputs')).recordOutput(outputs, execution, pieces);
  disposables.add(
    vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
      // Called right away, because `read` does not return output written before the call.
      keep(execution, execution.read()).catch((error: unknown) => {
        log.error('The output of a terminal command could not be kept', error);
      });
    }),
  );
  return outputs;
}
