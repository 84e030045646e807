import type { CommandNode } from '../graph';
import { strictText, updatesOf } from './fillNode';
import type { NodePlace, WorkedNode } from './nodeRoom';

/** Runs the command and tells its updates how it ended: `exit_code`, null where it was ended or nothing ran, and `output`. */
export async function runCommand(node: CommandNode, { graph, state, desk, signal }: NodePlace): Promise<WorkedNode> {
  const command = strictText(node.command, state, graph).trim();
  const end =
    command === '' ? { exitCode: null, output: '' } : await desk.runCommand(node.id, command, node.timeoutMs, signal);
  const own = { command, exit_code: end.exitCode, output: end.output };
  return { writes: updatesOf(node, state, own, graph), targets: node.next, output: own };
}
