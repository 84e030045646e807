/**
 * JSON with comments and commas too many, as editors have it, as plain JSON: what is taken out leaves blanks, so that every value
 * stays where it was.
 */
export function plainJson(text: string): string {
  return blankComments(text).replaceAll(/"(?:[^"\\\n]|\\.)*["\\\n]?|,(?=\s*[}\]])/g, (part) =>
    part === ',' ? ' ' : part,
  );
}

/** The same, with its commas as they are. */
export function blankComments(text: string): string {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ');
  // A string that does not end takes the rest of its line: to try each of its quotes again would take for ever.
  return text
    .replace(/^\uFEFF/, ' ')
    .replaceAll(/"(?:[^"\\\n]|\\.)*["\\\n]?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (part) =>
      part.startsWith('"') ? part : blank(part),
    );
}
