import type { JsonValue, Reducer } from '../graph';
import { isJsonObject } from './statePath';
import { textOfValue } from './template';

/** Thrown if a reducer cannot take a value. */
export class ReducerMismatch extends Error {
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
