import { clipEnd } from '../../../base/truncate';
import type { NodeTurn } from '../schedule/runSteps';
import { updatesOf } from './fillNode';
import type { NodeRoom, WorkedNode } from './nodeRoom';

/** As the original: a model's node tells its updates what went wrong as its output, a script's writes nothing. */
export function aroundFailure(
  { node, state }: Pick<NodeTurn, 'node' | 'state'>,
  { graph }: Pick<NodeRoom, 'graph'>,
  why: string,
): Pick<WorkedNode, 'writes' | 'output'> {
  const output = clipEnd(why, 2000);
  const own = node.type === 'command' ? { output, exit_code: null, command: '' } : { output };
  const writes = node.type === 'script' ? [] : updatesOf(node, state, own, graph);
  return { writes, output };
}
