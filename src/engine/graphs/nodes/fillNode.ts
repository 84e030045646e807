import { clipEnd } from '../../../base/truncate';
import type { Graph, GraphNode, JsonValue } from '../graph';
import type { NodeTurn } from '../schedule/runSteps';
import { type GraphState, scopeWith, type Write } from '../state/graphState';
import type { Scope } from '../state/statePath';
import { parseTemplate, renderLenient, renderStrict, renderTyped } from '../state/template';
import type { NodeRoom, WorkedNode } from './nodeRoom';

/** What a strict template comes to. Throws MissingReferences. */
export function strictText(text: string, scope: Scope, { version }: Pick<Graph, 'version'>): string {
  return renderStrict(parseTemplate(text, version), scope);
}

export function lenientText(text: string, scope: Scope, { version }: Pick<Graph, 'version'>): string {
  return renderLenient(parseTemplate(text, version), scope);
}

/** What a node writes when it is done: each on the state as it was before, with what only this node sees. */
export function updatesOf(
  { updates }: GraphNode,
  state: GraphState,
  own: Readonly<Record<string, JsonValue>>,
  { version }: Pick<Graph, 'version'>,
): Write[] {
  const scope = scopeWith(state, own);
  return updates.map(({ key, template }) => ({
    key,
    value: renderTyped(parseTemplate(template, version), scope) ?? '',
  }));
}

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

/** All that a node writes: of a key that its updates name as well, what they say of it, so that a reducer is told once. */
export function withUpdates(written: readonly Write[], updates: readonly Write[]): Write[] {
  const keys = new Set(updates.map(({ key }) => key));
  return [...written.filter(({ key }) => !keys.has(key)), ...updates];
}
