/** East Asian characters and pictographs are twice as wide. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uff60]|\p{Extended_Pictographic}/u;

/** Returns how many columns of a drawing a character takes. */
export function columnsOf(sign: string): number {
  return WIDE.test(sign) ? 2 : 1;
}
