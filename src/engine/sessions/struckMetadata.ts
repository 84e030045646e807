import type { SessionMetadata } from './sessionEntry';

/**
 * What is to be kept of a session without what `strike` takes out of texts. A variable that holds some of it is left out: it
 * would be another value, and has to be said with each run.
 */
export function struckMetadata<T extends Partial<Pick<SessionMetadata, 'title' | 'opening' | 'variables'>>>(
  given: T,
  strike: (text: string) => string,
): T {
  const struck = { ...given };
  if (given.title !== undefined) struck.title = strike(given.title);
  if (given.opening !== undefined) struck.opening = strike(given.opening);
  if (given.variables !== undefined) struck.variables = struckVariables(given.variables, strike);
  return struck;
}

/** Those of the variables that hold nothing that `strike` takes out. */
export function struckVariables(
  variables: Readonly<Record<string, string>>,
  strike: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => strike(value) === value));
}
