import { NEWER_VERSION, setting } from '../format/readGraph';
import type { GraphNode } from '../graph';
import { OWN_NAMES, rootOf, schemaKeysOf, templatesOf, writtenKeys } from './checkTemplates';
import { type GraphCheck, inNode, named, nodeItself, writtenOf } from './graphCheck';

const REDUCER_HINT = 'Give it a reducer at the top (append, extend, concat, sum, max, min, merge or overwrite)';

/** Checks how nodes that start at the same time interfere. */
export function checkFanOuts(check: GraphCheck): void {
  for (const node of check.graph.nodes.values()) {
    const members = fanOutOf(node, check);
    if (members.length < 2) continue;
    const size = members.reduce((sum, { updates }) => sum + 1 + updates.length, 0);
    if (!check.found.mayTake(size)) return;
    for (const member of members) checkMember(member, node, check);
    checkWrites(members, check);
    checkReads(members, check);
  }
}

/** Returns the nodes that run concurrently after a node; a single node if there is no fan-out. */
export function fanOutOf(node: GraphNode, { graph }: Pick<GraphCheck, 'graph'>): GraphNode[] {
  if (!('next' in node) || node.type === 'input') return [];
  return node.next.flatMap((id) => graph.nodes.get(id) ?? []);
}

function checkMember(member: GraphNode, from: GraphNode, check: GraphCheck): void {
  const { found, graph } = check;
  if ((member.type === 'approval' || member.type === 'input') && graph.version === '1.0') {
    const remedy = 'Ask after the branches have joined, or write version: "1.1".';
    const message = `“${member.id}” asks the user while other branches of “${from.id}” run. ${remedy}`;
    found.add('error', nodeItself(member.id), message, NEWER_VERSION);
  }
  const isSilent = (writtenOf(check, member.id, 'state_updates') ?? null) === null;
  if (member.type === 'script' && isSilent) {
    const remedy = 'List what it writes under “state_updates”; if it writes nothing, write state_updates: {}.';
    const message = `What “${member.id}” writes in parallel with the other branches of “${from.id}” is not known. ${remedy}`;
    found.add('error', nodeItself(member.id), message, setting(['nodes', member.id, 'state_updates'], '{}'));
  }
}

/** Reports keys without a reducer that several nodes write at once. */
function checkWrites(members: readonly GraphNode[], { graph, found }: GraphCheck): void {
  const writers = new Map<string, GraphNode[]>();
  for (const member of members) {
    for (const key of writtenKeys(member)) {
      if (graph.reducers.has(key)) continue;
      const others = writers.get(key);
      if (others) others.push(member);
      else writers.set(key, [member]);
    }
  }
  for (const [key, all] of writers) {
    const last = all.at(-1);
    if (all.length < 2 || !last) continue;
    // The original format does not check what maps collect.
    const known = all.filter((one) => one.type !== 'map' || one.updates.some((update) => update.key === key));
    const names = named(all.map(({ id }) => id));
    const message = `${names} write “${key}” at the same time. ${REDUCER_HINT}, or have each node write its own key.`;
    found.add(known.length > 1 ? 'error' : found.hole, placeOfWrite(last, key), message);
  }
}

export function placeOfWrite(node: GraphNode, key: string) {
  if (node.updates.some((update) => update.key === key)) {
    return { ...inNode(node.id, 'state_updates', key), part: 'key' as const };
  }
  return schemaKeysOf(node).includes(key)
    ? { ...inNode(node.id, 'output_schema', 'properties', key), part: 'key' as const }
    : inNode(node.id, 'collect_into');
}

/** Each node sees the state from before any of them wrote. */
function checkReads(members: readonly GraphNode[], { graph, found }: GraphCheck): void {
  const writers = new Map<string, GraphNode[]>();
  for (const member of members) {
    for (const key of writtenKeys(member)) writers.set(key, [...(writers.get(key) ?? []).slice(-1), member]);
  }
  for (const member of members) {
    const own = OWN_NAMES[member.type];
    const told = new Set<string>();
    for (const { where, references } of templatesOf(member, graph.version)) {
      if (!found.mayTake(references.length)) return;
      for (const { path } of references) {
        const key = rootOf(path);
        const writer = writers.get(key)?.find((one) => one !== member);
        if (!writer || told.has(key) || (own.includes(key) && where[0] === 'state_updates')) continue;
        told.add(key);
        const message = `“${member.id}” reads “${key}”, which “${writer.id}” writes at the same time, so it sees the previous value. Run one after the other.`;
        found.add('error', { ...inNode(member.id, ...where), words: `{{${path}` }, message);
      }
    }
  }
}
