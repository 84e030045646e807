import { DEEPEST, nesting } from './nesting';

/** The JSON of a value that came as JSON. Undefined for one that is nested deeper than anything that is asked for. */
export function shallowJson(value: object): string | undefined {
  try {
    const json = JSON.stringify(value);
    return nesting(json).deepest > DEEPEST ? undefined : json;
  } catch {
    // The stack did not last.
    return undefined;
  }
}
