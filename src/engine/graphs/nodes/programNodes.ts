import { clipEnd } from '../../../base/truncate';
import type { CommandNode, JsonValue, ScriptNode } from '../graph';
import type { NodeOutcome } from '../schedule/position';
import { stateAsObject, writesOf } from '../state/graphState';
import { parseJson } from '../jsonValue';
import { isJsonObject } from '../state/statePath';
import { strictText, updatesOf, withUpdates } from './fillNode';
import type { WorkedNode, WorkPlace } from './nodeRoom';

const NEXT = '_next';

/**
 * Runs the script and reads the one JSON object that it prints: the values to write, and the next nodes. In the branch of a map,
 * `_next` is ignored, even if it is invalid.
 */
export async function runScript(
  node: ScriptNode,
  { graph, state, desk, signal, session, isItem }: WorkPlace,
): Promise<NodeOutcome> {
  const work = { node: node.id, session, script: node.script, state: stateAsObject(state) };
  const printed = (await desk.runScript(work, signal)).trim();
  const said = parseJson(printed);
  if (!isJsonObject(said)) {
    const what = printed === '' ? 'It printed nothing' : `It printed ${JSON.stringify(clipEnd(printed, 200))}`;
    throw new Error(`${what} instead of one JSON object. Print nothing else to standard output.`);
  }
  const { [NEXT]: next, ...written } = said;
  const writes = writesOf(written, state);
  const merged = new Map([...state, ...writes.map(({ key, value }) => [key, value] as const)]);
  const updates = updatesOf(node, merged, {}, graph);
  return {
    writes: withUpdates(writes, updates),
    targets: (isItem ? undefined : nextOf(next)) ?? node.next,
    output: written,
  };
}

/** Reads one id or a list of ids, which is a fan-out. */
function nextOf(next: JsonValue | undefined): string[] | undefined {
  if (next === undefined || next === null) return undefined;
  const ids = typeof next === 'string' ? [next] : next;
  if (Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string')) return [...new Set(ids)];
  throw new Error(`“_next” is ${JSON.stringify(next)}. Print the id of a node, or a list of ids.`);
}

/** Runs the command. Its updates see `exit_code`, which is null if it was ended or nothing ran, and `output`. */
export async function runCommand(node: CommandNode, place: WorkPlace): Promise<WorkedNode> {
  const { graph, state, desk, signal, session } = place;
  const command = strictText(node.command, state, graph).trim();
  const work = { node: node.id, session, command, timeoutMs: node.timeoutMs };
  const end = command === '' ? { exitCode: null, output: '' } : await desk.runCommand(work, signal);
  const own = { command, exit_code: end.exitCode, output: end.output };
  return { writes: updatesOf(node, state, own, graph), targets: node.next, output: own };
}
