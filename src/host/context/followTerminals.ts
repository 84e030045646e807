import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/disposable';
import type { Log } from '../../engine';
import type { TerminalOutputs } from './terminalOutputs';

/** What commands in the editor's terminals write from now on; the code that keeps it is loaded with the first of them. */
export function followTerminals(disposables: DisposableStore, log: Log): TerminalOutputs {
  const outputs: TerminalOutputs = { all: [], count: 0 };
  const keep = async (execution: vscode.TerminalShellExecution, pieces: AsyncIterable<string>) =>
    (await import('./terminalOutputs')).recordOutput(outputs, execution, pieces);
  disposables.add(
    vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
      // At once: what was written before it is asked for is not given.
      keep(execution, execution.read()).catch((error: unknown) => {
        log.error('The output of a terminal command could not be kept', error);
      });
    }),
  );
  return outputs;
}
