import { SafeStream } from './safeStream';

const ESCAPE = '\u001b';
/** Colours, cursor moves, strings to the terminal, lone escapes. */
const SEQUENCE = new RegExp(
  `(${ESCAPE}\\[[0-?]*[ -/]*[@-~]|${ESCAPE}[\\]PX^_][^\u0007${ESCAPE}\n]*(?:\u0007|${ESCAPE}\\\\)|${ESCAPE}[ -/]*[0-~]?)`,
);
/** One that may go on with the next piece. */
const OPEN = new RegExp(`${ESCAPE}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\u0007${ESCAPE}\n]*${ESCAPE}?|[ -/]*)$`);
/** No sequence that is shown is longer, and no other is waited for any longer. */
const MAX_SEQUENCE = 300;
/** All that takes no place, but the ends of lines and tabs. */
const CONTROLS = new RegExp(`[${String.fromCharCode(0)}-\u0008\u000b\u000c\u000e-\u001f\u007f]`, 'g');
const COLOUR = new RegExp(`^${ESCAPE}\\[([\\d;:]*)m$`);
const ERASE_LINE = new RegExp(`^${ESCAPE}\\[[012]?K$`);
/** Text that nobody sees, and that nobody can read. */
const UNSEEN = new Set(['5', '6', '8']);

/**
 * The output of a program for a terminal that others look at, wherever its pieces are cut. It can colour its text and write its
 * own line anew; it cannot move to what stands above, change titles, write to the clipboard, ask the terminal for something, or
 * hide anything. What a person would not see is marked as `safeText` does.
 */
export class TerminalStream {
  private readonly text = new SafeStream();
  private held = '';

  push(chunk: string): string {
    const all = this.held + chunk;
    const open = OPEN.exec(all)?.index ?? all.length;
    const end = all.length - open > MAX_SEQUENCE ? all.length : open;
    this.held = all.slice(end);
    return this.shown(all.slice(0, end));
  }

  private shown(text: string): string {
    return text
      .split(SEQUENCE)
      .map((part) => (part.startsWith(ESCAPE) ? allowed(part) : this.plain(part)))
      .join('');
  }

  /** Each line as a terminal ends it; a lone return goes back to the beginning of the line. */
  private plain(text: string): string {
    return text
      .replace(CONTROLS, '')
      .replace(/\r*\n/g, '\n')
      .split('\r')
      .map((part) => this.text.push(part) + this.text.end())
      .join('\r')
      .replaceAll('\n', '\r\n');
  }
}

function allowed(sequence: string): string {
  if (ERASE_LINE.test(sequence)) return sequence;
  const codes = COLOUR.exec(sequence)?.[1];
  if (codes === undefined) return '';
  return hides(codes) ? '' : sequence;
}

/** True when one of its codes hides text; the numbers of a colour are none. */
function hides(codes: string): boolean {
  const numbers = codes.split(/[;:]/);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? '';
    if (code === '38' || code === '48' || code === '58') at += numbers[at + 1] === '5' ? 2 : 4;
    else if (UNSEEN.has(code.replace(/^0+(?=\d)/, ''))) return true;
  }
  return false;
}
