import { sameJson } from '../../base/sameJson';
import type { Graph, JsonObject, JsonValue, Reducer } from './graph';
import { isJsonObject, MOST_STATE, type Scope, sizeOf, StateTooLarge, textOfValue } from './template';

/** The state of a graph run, by key. Immutable. */
export type GraphState = ReadonlyMap<string, JsonValue>;

/** A value written by a node. */
export interface Write {
  readonly key: string;
  readonly value: JsonValue;
}

/** The writes of a node in a step, in order. */
interface NodeWrites {
  readonly node: string;
  readonly writes: readonly Write[];
}

/** Thrown if several nodes of a step wrote to a key without a reducer. */
class WriteConflict extends Error {
  constructor(key: string, nodes: readonly string[]) {
    const names = nodes.join(' and ');
    super(`${names} wrote to “${key}” at the same time. Give the key a reducer, or have each node write its own key.`);
    this.name = 'WriteConflict';
  }
}

/** Returns the initial state of a run. */
export function firstState({ initialState }: Pick<Graph, 'initialState'>, prompt: string): GraphState {
  return new Map([...Object.entries(initialState), ['initial_prompt', prompt] as const]);
}

/**
 * Applies the writes of a step, ordered by node id, each through the reducer of its key. Throws WriteConflict, StateTooLarge, and
 * an Error that names the value its reducer cannot take.
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
  if (sizeOf([...next.values()], MOST_STATE) > MOST_STATE) throw new StateTooLarge('The state');
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

/** Writing the value that is already there is not a conflict. */
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

/** Returns a scope in which names that only one node sees shadow the state. */
export function scopeWith(state: GraphState, own: Readonly<Record<string, JsonValue>>): Scope {
  return { get: (key) => (Object.hasOwn(own, key) ? own[key] : state.get(key)) };
}

/**
 * Returns the writes of a script from the object that it printed. If the object contains the whole state, as many scripts extend
 * and print their input, only the changed values count.
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

/** Thrown if a reducer cannot take a value. */
class ReducerMismatch extends Error {
  constructor(reducer: Reducer, side: 'current' | 'written', wanted: string, value: JsonValue) {
    super(`The reducer “${reducer}” needs ${wanted}, but the ${side} value is ${typeName(value)}.`);
    this.name = 'ReducerMismatch';
  }
}

/** Returns the value of a key after a write; `current` is undefined before the first one. Throws ReducerMismatch. */
export function reduce(reducer: Reducer, current: JsonValue | undefined, written: JsonValue): JsonValue {
  switch (reducer) {
    case 'overwrite':
      return written;
    case 'append':
      return [...(current === undefined ? [] : listOf(reducer, 'current', current)), written];
    case 'extend': {
      const more = listOf(reducer, 'written', written);
      return current === undefined ? more : [...listOf(reducer, 'current', current), ...more];
    }
    case 'concat':
      return concatenated(current, written);
    case 'sum':
    case 'max':
    case 'min':
      return folded(reducer, current, numberOf(reducer, 'written', written));
    case 'merge': {
      const more = objectOf(reducer, 'written', written);
      return current === undefined ? more : { ...objectOf(reducer, 'current', current), ...more };
    }
  }
}

/** Values that are not text are added in their text form. */
function concatenated(current: JsonValue | undefined, written: JsonValue): JsonValue {
  const text = textOfValue(written);
  if (current === undefined || current === '') return text;
  if (typeof current !== 'string') throw new ReducerMismatch('concat', 'current', 'a string', current);
  return `${current}\n${text}`;
}

function folded(reducer: 'sum' | 'max' | 'min', current: JsonValue | undefined, written: number): number {
  if (current === undefined) return written;
  const before = numberOf(reducer, 'current', current);
  if (reducer === 'sum') return finiteSum(before, written);
  return reducer === 'max' ? Math.max(before, written) : Math.min(before, written);
}

/** JSON has no infinity: it would be stored as null. */
function finiteSum(before: number, written: number): number {
  const sum = before + written;
  if (!Number.isFinite(sum)) throw new ReducerMismatch('sum', 'written', 'numbers whose sum is finite', written);
  return sum;
}

type Side = 'current' | 'written';

function listOf(reducer: Reducer, side: Side, value: JsonValue): JsonValue[] {
  if (!Array.isArray(value)) throw new ReducerMismatch(reducer, side, 'a list', value);
  return value;
}

/** Also accepts numeric text, since templates render numbers as text. */
function numberOf(reducer: Reducer, side: Side, value: JsonValue): number {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof read !== 'number' || !Number.isFinite(read)) throw new ReducerMismatch(reducer, side, 'a number', value);
  return read;
}

function objectOf(reducer: Reducer, side: Side, value: JsonValue): { [key: string]: JsonValue } {
  if (!isJsonObject(value)) throw new ReducerMismatch(reducer, side, 'a map', value);
  return value;
}

export function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return `a ${typeof value}`;
}
