import type { CommandNode } from '../graph';
import { strictText, updatesOf } from './fillNode';
import type { WorkedNode, WorkPlace } from './nodeRoom';

/** Runs the command and tells its updates how it ended: `exit_code`, null where it was ended or nothing ran, and `output`. */
export async function runCommand(node: CommandNode, place: WorkPlace): Promise<WorkedNode> {
  const { graph, state, desk, signal, session } = place;
  const command = strictText(node.command, state, graph).trim();
  const work = { node: node.id, session, command, timeoutMs: node.timeoutMs };
  const end = command === '' ? { exitCode: null, output: '' } : await desk.runCommand(work, signal);
  const own = { command, exit_code: end.exitCode, output: end.output };
  return { writes: updatesOf(node, state, own, graph), targets: node.next, output: own };
}
