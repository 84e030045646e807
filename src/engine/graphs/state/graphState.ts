import { sameJson } from '../../../base/sameJson';
import type { Graph, JsonObject, JsonValue, Reducer } from '../graph';
import { reduce, ReducerMismatch } from './reduce';
import { isJsonObject, type Scope } from './statePath';

/** What a run of a graph knows, by key. Never changed in place. */
export type GraphState = ReadonlyMap<string, JsonValue>;

/** One value that a node wrote. */
export interface Write {
  readonly key: string;
  readonly value: JsonValue;
}

/** What one node wrote in a step, in the order in which it did. */
export interface NodeWrites {
  readonly node: string;
  readonly writes: readonly Write[];
}

/** Several nodes of a step wrote to a key that nothing says how to bring together. */
export class WriteConflict extends Error {
  constructor(key: string, nodes: readonly string[]) {
    const names = nodes.join(' and ');
    super(`${names} wrote to “${key}” at the same time. Give the key a reducer, or have each node write its own key.`);
    this.name = 'WriteConflict';
  }
}

/** The state with which a run begins. */
export function firstState({ initialState }: Pick<Graph, 'initialState'>, prompt: string): GraphState {
  return new Map([...Object.entries(initialState), ['initial_prompt', prompt] as const]);
}

/**
 * The state after a step: what each node wrote, in the order of the nodes' ids, each value through the reducer of its key.
 * Throws WriteConflict, and an Error that says which value its reducer cannot take.
 */
export function applyWrites(
  state: GraphState,
  written: readonly NodeWrites[],
  { reducers }: Pick<Graph, 'reducers'>,
): GraphState {
  const ordered = written.toSorted((a, b) => (a.node < b.node ? -1 : 1));
  refuseConflicts(state, ordered, reducers);
  const next = new Map(state);
  for (const { node, writes } of ordered) {
    for (const { key, value } of writes) {
      const reducer = reducers.get(key);
      next.set(key, reducer ? reduced(reducer, next.get(key), { node, key, value }) : value);
    }
  }
  return next;
}

function reduced(
  reducer: Reducer,
  current: JsonValue | undefined,
  { node, key, value }: Write & { node: string },
): JsonValue {
  try {
    return reduce(reducer, current, value);
  } catch (error) {
    if (!(error instanceof ReducerMismatch)) throw error;
    throw new Error(`What “${node}” wrote to “${key}” is not valid. ${error.message}`, { cause: error });
  }
}

/** To write what is there already is no conflict. */
function refuseConflicts(state: GraphState, written: readonly NodeWrites[], reducers: Graph['reducers']): void {
  const writers = new Map<string, Set<string>>();
  for (const { node, writes } of written) {
    for (const { key, value } of writes) {
      const before = state.get(key);
      if (reducers.has(key) || (before !== undefined && sameJson(before, value))) continue;
      writers.set(key, (writers.get(key) ?? new Set()).add(node));
    }
  }
  for (const [key, nodes] of writers) if (nodes.size > 1) throw new WriteConflict(key, [...nodes]);
}

/** The state with names before it that only one node sees. */
export function scopeWith(state: GraphState, own: Readonly<Record<string, JsonValue>>): Scope {
  return { get: (key) => (Object.hasOwn(own, key) ? own[key] : state.get(key)) };
}

/**
 * What a script that printed an object wrote. One that gives back the whole state, as many do that add to what they were
 * given, wrote only what it changed.
 */
export function writesOf(printed: JsonObject, state: GraphState): Write[] {
  const entries = Object.entries(printed).map(([key, value]) => ({ key, value }));
  const isWhole = state.size > 1 && [...state.keys()].every((key) => Object.hasOwn(printed, key));
  if (!isWhole) return entries;
  return entries.filter(({ key, value }) => {
    const before = state.get(key);
    return before === undefined || !sameJson(before, value);
  });
}

export function stateAsObject(state: GraphState): JsonObject {
  return Object.fromEntries(state);
}

export function stateFrom(object: JsonValue): GraphState {
  return new Map(isJsonObject(object) ? Object.entries(object) : []);
}
