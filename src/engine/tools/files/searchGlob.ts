/** A glob as the search wants it: relative, and one without a slash is meant in every folder. */
export function searchGlob(pattern: string): string {
  const plain = pattern.replace(/^(\.\/)+/, '');
  return plain.includes('/') ? plain : `**/${plain}`;
}
