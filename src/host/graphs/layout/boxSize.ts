import { columnsOf } from '../../../base/shown/columns';

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

function columns(text: string): number {
  let sum = 0;
  for (const sign of text.slice(0, 200)) sum += columnsOf(sign);
  return sum;
}
