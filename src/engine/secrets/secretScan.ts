import { type SecretForm, secretForms } from './secretForms';

/** The replacement for a redacted secret. */
export const HIDDEN_MARK = '•••';

const ESCAPE = 0x1b;
/** Colors, links, and other sequences with which programs highlight parts of their output, and which are removed from it. */
const MARK = new RegExp(
  `\\[[0-?]{0,32}[ -/]{0,4}[@-~]|[\\]PX^_][^\u0007\u001b\n]{0,300}(?:\u0007|\u001b\\\\)|[ -/]{0,4}[0-Z\\\\\`-~]`,
  'y',
);
const CUT_MARK = /^(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\n]*|[ -/]*)$/;
/** Maximum length of such a sequence. */
const MAX_MARK = 40;
/** Minimum number of matching characters before a line break for the next line to be awaited. */
const MIN_BROKEN = 8;

/** A scanned text, and its end that is held back because it may be the start of a secret. */
interface Scanned {
  struck: string;
  held: string;
}

/** Where a form ends in a text; `open`: the text ends before the form does; `none`: no match. */
type Found = number | 'open' | 'none';

/** Finds secrets in one pass, including those interrupted by line breaks and colors. */
export class SecretScan {
  /** By their first three characters. */
  private readonly byStart = new Map<string, SecretForm[]>();
  private readonly first = new Uint8Array(0x10000);
  private readonly second = new Uint8Array(0x10000);
  private readonly longest: number;

  constructor(private readonly forms: readonly SecretForm[]) {
    for (const form of forms) {
      const start = form.text.slice(0, 3);
      this.byStart.set(start, [...(this.byStart.get(start) ?? []), form]);
      this.first[form.text.charCodeAt(0)] = 1;
      this.second[form.text.charCodeAt(1)] = 1;
    }
    this.longest = Math.max(0, ...forms.map(({ text }) => text.length));
  }

  /** Redacts a text. With `isOpen`, more text follows, so a possible start of a secret is held back. */
  scan(text: string, isOpen: boolean): Scanned {
    // Fast path: every text that is stored or shown is scanned, even if no secret is known.
    if (this.forms.length === 0) return { struck: text, held: '' };
    const pieces: string[] = [];
    const tail = isOpen ? text.length - 2 * (this.longest + MAX_MARK) : text.length;
    let taken = 0;
    for (let at = 0; at < text.length; at++) {
      if (this.first[text.charCodeAt(at)] === 0) continue;
      const end = this.endAt(text, at, at >= tail);
      if (end === 'none') continue;
      pieces.push(text.slice(taken, at));
      if (end === 'open') return { struck: pieces.join(''), held: text.slice(at) };
      pieces.push(HIDDEN_MARK);
      taken = end;
      at = end - 1;
    }
    return { struck: pieces.join('') + text.slice(taken), held: '' };
  }

  /** Returns the end of the longest matching form. */
  private endAt(text: string, at: number, isTail: boolean): Found {
    const next = text.charCodeAt(at + 1);
    const isMarked = isRemoved(next) || next === 10 || next === 13;
    if (!isTail && !isMarked && this.second[next] === 0) return 'none';
    const forms = isTail || isMarked ? this.forms : this.startingWith(text, at);
    let longest = -1;
    for (const form of forms) {
      const end = endOf(form, text, at);
      if (end === 'open' && isTail) return 'open';
      if (typeof end === 'number') longest = Math.max(longest, end);
    }
    return longest < 0 ? 'none' : longest;
  }

  private startingWith(text: string, at: number): readonly SecretForm[] {
    const third = text.charCodeAt(at + 2);
    if (isRemoved(third) || third === 10 || third === 13) return this.forms;
    return this.byStart.get(text.slice(at, at + 3)) ?? [];
  }
}

function endOf({ text: form, wraps }: SecretForm, text: string, at: number): Found {
  let place = at;
  for (let index = 0; index < form.length; index++) {
    if (index > 0) {
      const next = pastMarks(text, place, wraps);
      const isBroken = next >= text.length && text.slice(place).includes('\n');
      if (isBroken && index < MIN_BROKEN) return 'none';
      place = next;
    }
    if (place >= text.length) return 'open';
    if (text.charCodeAt(place) !== form.charCodeAt(index)) return 'none';
    place++;
  }
  return place;
}

/** Skips at most one line break and the colors around it. */
function pastMarks(text: string, from: number, wraps: boolean): number {
  let at = pastColours(text, from);
  if (!wraps) return at;
  if (text.charCodeAt(at) === 13) at++;
  if (text.charCodeAt(at) === 10) at++;
  return pastColours(text, at);
}

function pastColours(text: string, from: number): number {
  let at = from;
  while (isRemoved(text.charCodeAt(at))) {
    if (text.charCodeAt(at++) !== ESCAPE) continue;
    MARK.lastIndex = at;
    const mark = MARK.exec(text);
    // A truncated sequence does not rule out a match.
    if (!mark) return CUT_MARK.test(text.slice(at, at + MAX_MARK)) ? text.length : at - 1;
    at += mark[0].length;
  }
  return at;
}

/** Whether a character is removed before an output is stored or shown, such as those between the letters of UTF-16. */
function isRemoved(code: number): boolean {
  return code < 32 ? code !== 9 && code !== 10 && code !== 13 : code === 127;
}

/** Returns a function that redacts these values in a text, in any form they may be written. */
export function strikeOf(values: readonly string[]): (text: string) => string {
  if (values.length === 0) return (text) => text;
  const scan = new SecretScan(values.flatMap(secretForms));
  return (text) => scan.scan(text, false).struck;
}
