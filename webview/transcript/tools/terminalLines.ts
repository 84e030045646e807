/** A run of characters in one style; `look` contains class names for the theme's terminal colors, or is empty. */
export interface TerminalPiece {
  text: string;
  look: string;
}

const ESCAPE = '\u001b';
/** The maximum length of live output: text this long has lost its beginning. */
const CUT_LENGTH = 8_000;
/** Colors, cursor moves, titles and other string sequences, lone escapes, and sequences cut off at the end. */
const SEQUENCE = new RegExp(
  `(${ESCAPE}\\[[0-?]*[ -/]*(?:[@-~]|$)|${ESCAPE}[\\]PX^_][^\u0007${ESCAPE}\n]*(?:\u0007|${ESCAPE}\\\\|$)|${ESCAPE}[ -/]*[0-~]?)`,
);
/** The rest of a color sequence whose beginning was cut off. */
const HALF_SEQUENCE = /^\[?[\d;]{0,16}m/;
const CONTROLS = new RegExp(`[${String.fromCharCode(0)}-\u0008\u000b-\u001f\u007f]`, 'g');
const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

interface Look {
  colour: string;
  weight: string;
}

/** Returns what a terminal would show: colored lines, with only the last state of overwritten ones. */
export function terminalLines(raw: string): TerminalPiece[][] {
  const text = raw.length >= CUT_LENGTH ? raw.replace(HALF_SEQUENCE, '') : raw;
  const lines: TerminalPiece[][] = [[]];
  let look: Look = { colour: '', weight: '' };
  for (const part of text.replaceAll('\r\n', '\n').split(SEQUENCE)) {
    if (part.startsWith(ESCAPE)) look = lookAfter(part, look);
    else addText(lines, part, [look.colour, look.weight].filter(Boolean).join(' '));
  }
  return lines.map(lastState);
}

function addText(lines: TerminalPiece[][], text: string, look: string): void {
  text.split('\n').forEach((line, at) => {
    if (at > 0) lines.push([]);
    if (line !== '') lines.at(-1)?.push({ text: line, look });
  });
}

/** A carriage return goes back to the start of the line; what follows replaces what was there. */
function lastState(line: readonly TerminalPiece[]): TerminalPiece[] {
  let kept: TerminalPiece[] = [];
  let returned = false;
  for (const { text, look } of line) {
    text.split('\r').forEach((state, at) => {
      if (at > 0) returned = true;
      const clean = state.replace(CONTROLS, '');
      if (clean === '') return;
      if (returned) kept = [];
      returned = false;
      kept.push({ text: clean, look });
    });
  }
  return kept;
}

function lookAfter(sequence: string, before: Look): Look {
  const codes = /^\u001b\[([\d;]*)m$/.exec(sequence)?.[1];
  if (codes === undefined) return before;
  const numbers = codes.split(';').map(Number);
  let look = before;
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 38 || code === 48) {
      if (code === 38) look = { ...look, colour: numbers[at + 1] === 5 ? colourName(numbers[at + 2] ?? 99) : '' };
      at += numbers[at + 1] === 5 ? 2 : 4;
    } else {
      look = withCode(code, look);
    }
  }
  return look;
}

function withCode(code: number, look: Look): Look {
  if (code === 0) return { colour: '', weight: '' };
  if (code === 1) return { ...look, weight: 'ansi-bold' };
  if (code === 2) return { ...look, weight: 'ansi-dim' };
  if (code === 22) return { ...look, weight: '' };
  if (code === 39) return { ...look, colour: '' };
  if (code >= 30 && code <= 37) return { ...look, colour: colourName(code - 30) };
  if (code >= 90 && code <= 97) return { ...look, colour: colourName(code - 90 + 8) };
  return look;
}

/** Returns the class of one of the theme's 16 colors; other colors use the text color. */
function colourName(index: number): string {
  const name = NAMES[index % 8];
  return index < 16 && name !== undefined ? `ansi-${index < 8 ? '' : 'bright-'}${name}` : '';
}
