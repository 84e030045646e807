/**
 * Converts JSON with comments and trailing commas, as editors allow, to plain JSON. What is removed is replaced with spaces, so
 * that every offset is preserved.
 */
export function plainJson(text: string): string {
  return blankComments(text).replaceAll(/"(?:[^"\\\n]|\\.)*["\\\n]?|,(?=\s*[}\]])/g, (part) =>
    part === ',' ? ' ' : part,
  );
}

/** Replaces only the comments. */
export function blankComments(text: string): string {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ');
  // An unterminated string consumes the rest of its line; retrying at each of its quotes would take forever.
  return text
    .replace(/^\uFEFF/, ' ')
    .replaceAll(/"(?:[^"\\\n]|\\.)*["\\\n]?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (part) =>
      part.startsWith('"') ? part : blank(part),
    );
}
