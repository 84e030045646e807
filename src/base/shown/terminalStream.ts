import { SafeStream } from './safeStream';

const ESCAPE = '\u001b';
/** Colors, cursor moves, strings to the terminal, lone escapes. */
const SEQUENCE = new RegExp(
  `(${ESCAPE}\\[[0-?]*[ -/]*[@-~]|${ESCAPE}[\\]PX^_][^\u0007${ESCAPE}\n]*(?:\u0007|${ESCAPE}\\\\)|${ESCAPE}[ -/]*[0-~]?)`,
);
/** A sequence that may continue in the next chunk. */
const OPEN = new RegExp(`${ESCAPE}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\u0007${ESCAPE}\n]*${ESCAPE}?|[ -/]*)$`);
/** No sequence that is let through is longer, so nothing longer is held back. */
const MAX_SEQUENCE = 300;
/** Control characters that take no space, other than line ends and tabs. */
const CONTROLS = new RegExp(`[${String.fromCharCode(0)}-\u0008\u000b\u000c\u000e-\u001f\u007f]`, 'g');
const COLOUR = new RegExp(`^${ESCAPE}\\[([\\d;:]*)m$`);
const ERASE_LINE = new RegExp(`^${ESCAPE}\\[[012]?K$`);
/** Codes for text that cannot be seen or read: slow blink, rapid blink, conceal. */
const UNSEEN = new Set(['5', '6', '8']);

/**
 * A program's output for a terminal that the user watches, wherever its chunks are cut. It can color its text and rewrite its own
 * line. It cannot move to earlier lines, change titles, write to the clipboard, query the terminal, or hide anything. What the
 * user would not see is marked as in `safeText`.
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

  /** Ends each line as a terminal does; a lone carriage return goes back to the beginning of the line. */
  private plain(text: string): string {
    return text
      .replace(CONTROLS, '')
      .replace(/(?<!\r)\r*\n/g, '\n')
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

/** Returns true if one of the codes hides text. Skips the parameters of extended colors. */
function hides(codes: string): boolean {
  const numbers = codes.split(/[;:]/);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? '';
    if (code === '38' || code === '48' || code === '58') at += numbers[at + 1] === '5' ? 2 : 4;
    else if (UNSEEN.has(code.replace(/^0+(?=\d)/, ''))) return true;
  }
  return false;
}
