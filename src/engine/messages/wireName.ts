/** An id or a name with only the characters that every vendor takes; a model may have invented others. */
export function wireName(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_') || '_';
}
