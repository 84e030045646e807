/** Finds a text as it is typed; null when there is nothing to find. */
export function findPattern(query: string, matchCase: boolean): RegExp | null {
  if (query === '') return null;
  // Line ends and runs of blanks are drawn as one blank.
  const source = query.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\s+/g, '\\s+');
  return new RegExp(source, matchCase ? 'gu' : 'giu');
}
