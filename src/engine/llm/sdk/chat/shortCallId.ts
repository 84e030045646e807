/** The id itself when it is nine letters and digits, else nine made of it, the same each time. */
export function shortCallId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id;
  let [high, low] = [0x811c9dc5, 0x1b873593];
  for (const character of id) {
    const code = character.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  const digits = (value: number) => (value >>> 0).toString(36).padStart(7, '0');
  return `${digits(high).slice(-5)}${digits(low).slice(-4)}`;
}
