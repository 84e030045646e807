import type { GraphFields } from '../format/graphFields';
import type { Graph, MapNode } from '../graph';
import type { FilePlace, Findings } from './findings';
import type { GraphWorld } from './graphWorld';
import type { Ways } from './ways';

/** A graph that is looked at, and what is found. */
export interface GraphCheck {
  readonly graph: Graph;
  /** As written. */
  readonly fields: GraphFields;
  readonly world: GraphWorld;
  readonly ways: Ways;
  readonly found: Findings;
  /** Ids of all its nodes, also of those that could not be read. */
  readonly ids: readonly string[];
  /** The nodes that maps run for their items, also where one stands in for another, with these maps. */
  readonly branches: ReadonlyMap<string, readonly MapNode[]>;
}

/** So many steps it takes to look at a node that is run for the items of a map. */
export const STEPS_OF_ITEM = 10;

/** What a node of the file says under a key, as written. */
export function writtenOf({ fields }: Pick<GraphCheck, 'fields'>, node: string, key: string): unknown {
  return Object.hasOwn(fields.nodes, node) ? fields.nodes[node]?.[key] : undefined;
}

/** Where something of a node stands. */
export function inNode(node: string, ...where: readonly PropertyKey[]): FilePlace {
  return { where: ['nodes', node, ...where] };
}

/** The node itself, by its id. */
export function nodeItself(node: string): FilePlace {
  return { where: ['nodes', node], part: 'key' };
}

/** `a, b and c`, each between quotes; of many the first. */
export function named(names: readonly string[], most = 8): string {
  const shown = names.slice(0, most).map((name) => `“${name}”`);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}
