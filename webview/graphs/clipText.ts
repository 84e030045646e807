/** Signs of East Asia and pictures are twice as wide. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uff60]|\p{Extended_Pictographic}/u;

/** As much of a line as has room in so many columns, with a sign that there is more. */
export function clipText(text: string, columns: number): string {
  let used = 0;
  let kept = '';
  for (const sign of text) {
    used += WIDE.test(sign) ? 2 : 1;
    if (used > columns) return `${kept.trimEnd()}…`;
    // So that the sign for more has room.
    if (used <= columns - 1) kept += sign;
  }
  return text;
}
