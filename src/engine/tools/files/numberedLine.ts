/** A line as a model reads it: its number, right-aligned, an arrow, its text. */
export function numberedLine(number: number, text: string): string {
  return `${String(number).padStart(6)}→${text}`;
}
