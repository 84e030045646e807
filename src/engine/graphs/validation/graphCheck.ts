import type { GraphFields } from '../format/graphFields';
import type { Graph, MapNode } from '../graph';
import type { FilePlace, Findings } from './findings';
import type { GraphWorld } from './graphWorld';
import type { Ways } from './ways';

/** The state of a graph's validation. */
export interface GraphCheck {
  readonly graph: Graph;
  /** As written. */
  readonly fields: GraphFields;
  readonly world: GraphWorld;
  readonly ways: Ways;
  readonly found: Findings;
  /** Ids of all nodes, including those that could not be read. */
  readonly ids: readonly string[];
  /** Nodes that maps run for their items, including fallbacks → these maps. */
  readonly branches: ReadonlyMap<string, readonly MapNode[]>;
}

/** Number of steps charged for checking a node that runs for the items of a map. */
export const STEPS_OF_ITEM = 10;

/** Returns the value of a node's key as written in the file. */
export function writtenOf({ fields }: Pick<GraphCheck, 'fields'>, node: string, key: string): unknown {
  return Object.hasOwn(fields.nodes, node) ? fields.nodes[node]?.[key] : undefined;
}

/** Returns a place inside a node. */
export function inNode(node: string, ...where: readonly PropertyKey[]): FilePlace {
  return { where: ['nodes', node, ...where] };
}

/** Returns the place of a node's id. */
export function nodeItself(node: string): FilePlace {
  return { where: ['nodes', node], part: 'key' };
}

/** Formats names as `a, b and c`, each in quotes; lists only the first `most` names. */
export function named(names: readonly string[], most = 8): string {
  const shown = names.slice(0, most).map((name) => `“${name}”`);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}
