/** Room for the mark of its kind, and at both sides. */
const AROUND = 58;
const LETTER = 7.4;
const LABEL_LETTER = 6.6;
/** So that something of what it is for can be read, too. */
const NARROWEST = 168;
const WIDEST = 280;
const LONGEST_LABEL = 200;

export const BOX_HEIGHT = 44;
export const LABEL_HEIGHT = 18;

/** How wide a box with this name is; longer names are cut off. */
export function boxWidth(name: string): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, AROUND + columns(name) * LETTER)));
}

export function labelWidth(label: string): number {
  return Math.round(Math.min(LONGEST_LABEL, 10 + columns(label) * LABEL_LETTER));
}

/** Signs of East Asia and pictures are twice as wide. */
function columns(text: string): number {
  let sum = 0;
  for (const sign of text.slice(0, 200))
    sum += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uff60]|\p{Extended_Pictographic}/u.test(sign)
      ? 2
      : 1;
  return sum;
}
