import { clipEnd } from '../../../base/truncate';
import type { Graph, GraphNode, JsonValue } from '../graph';
import type { NodeTurn } from '../schedule/runSteps';
import { type GraphState, scopeWith, type Write } from '../state/graphState';
import { MOST_STATE, type Scope, sizeOf, StateTooLarge } from '../state/statePath';
import { parseTemplate, renderLenient, renderStrict, renderTyped } from '../state/template';
import type { NodeRoom, WorkedNode } from './nodeRoom';

/** Renders a strict template. Throws MissingReferences. */
export function strictText(text: string, scope: Scope, { version }: Pick<Graph, 'version'>): string {
  return renderStrict(parseTemplate(text, version), scope);
}

export function lenientText(text: string, scope: Scope, { version }: Pick<Graph, 'version'>): string {
  return renderLenient(parseTemplate(text, version), scope);
}

/**
 * Returns what a node writes when it is done. Each template sees the state before these writes, and the node's own values. Throws
 * StateTooLarge.
 */
export function updatesOf(
  { updates }: GraphNode,
  state: GraphState,
  own: Readonly<Record<string, JsonValue>>,
  { version }: Pick<Graph, 'version'>,
): Write[] {
  const scope = scopeWith(state, own);
  let size = 0;
  return updates.map(({ key, template }) => {
    const value = renderTyped(parseTemplate(template, version), scope) ?? '';
    size += sizeOf([value], MOST_STATE);
    if (size > MOST_STATE) throw new StateTooLarge('What the node writes');
    return { key, value };
  });
}

/**
 * Returns the writes for a failure with a fallback. As in the original, the updates of a model's node see the error as its
 * output, while a script's node writes nothing.
 */
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

/** Returns all writes of a node. An update replaces a written value of the same key, so that a reducer sees only one. */
export function withUpdates(written: readonly Write[], updates: readonly Write[]): Write[] {
  const keys = new Set(updates.map(({ key }) => key));
  return [...written.filter(({ key }) => !keys.has(key)), ...updates];
}
