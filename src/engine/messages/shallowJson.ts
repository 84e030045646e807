import { DEEPEST, nesting } from './nesting';

/** Serializes a value that was parsed from JSON. Returns undefined if it is nested more deeply than Cairn supports. */
export function shallowJson(value: object): string | undefined {
  try {
    const json = JSON.stringify(value);
    return nesting(json).deepest > DEEPEST ? undefined : json;
  } catch {
    // Stack overflow.
    return undefined;
  }
}
