/** What an expression demands at one position of a text. */
export type Node =
  | { kind: 'sign'; fits: (sign: string) => boolean }
  | { kind: 'sequence' | 'choice'; nodes: readonly Node[] }
  | { kind: 'repeat'; node: Node; least: number; most: number }
  | { kind: 'place'; holds: (before: string | undefined, after: string | undefined) => boolean }
  | { kind: 'look'; node: Node; isBehind: boolean; isNegated: boolean };

/** Thrown for expressions that cannot be matched in linear time. The message is a sentence. */
export class NotLinear extends Error {
  override name = 'NotLinear';
}

/** How deep groups may be nested. */
const DEEPEST = 200;
const MARK = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/y;
/** The beginning of a group that can be referred to. */
const OPENED = /\((?:\?<(?![=!])|(?!\?))/g;
const GROUP = /\((?:\?(?:([:=!]|<[=!])|<[^>]*>|([ims]*)(?:-([ims]*))?:))?/y;
const ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[A-Za-z]|[0-3][0-7]{0,2}|[4-7][0-7]?|[^c])/y;
const ESCAPE_U =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[A-Za-z]|[^])/y;

/** Reads an expression of JavaScript that is known to be valid. Throws NotLinear for back references. */
export function readExpression(source: string, flags: string): Node {
  return new Reader(source, flags).read();
}

class Reader {
  private at = 0;
  private depth = 0;
  private readonly groups: number;
  private readonly hasNames: boolean;
  private readonly known = new Map<string, (sign: string) => boolean>();

  constructor(
    private readonly source: string,
    private flags: string,
  ) {
    const opened = source.replace(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, '').match(OPENED) ?? [];
    this.groups = opened.length;
    this.hasNames = opened.some((sign) => sign !== '(');
  }

  read(): Node {
    const first = this.sequence();
    const nodes = [first];
    while (this.source.charAt(this.at) === '|') {
      this.at++;
      nodes.push(this.sequence());
    }
    return nodes.length === 1 ? first : { kind: 'choice', nodes };
  }

  private sequence(): Node {
    const nodes: Node[] = [];
    while (this.at < this.source.length && !/[|)]/.test(this.source.charAt(this.at))) {
      const node = this.term();
      const mark = this.take(MARK);
      nodes.push(mark ? repeated(node, mark) : node);
    }
    return { kind: 'sequence', nodes };
  }

  private term(): Node {
    const sign = this.source.charAt(this.at);
    if (sign === '(') return this.group();
    if (sign === '\\') return this.escape();
    if (sign === '[') return this.sign(this.take(CLASS)?.[0] ?? sign);
    const whole = this.flags.includes('u') ? String.fromCodePoint(this.source.codePointAt(this.at) ?? 0) : sign;
    this.at += whole.length;
    if (sign === '^' || sign === '$') return this.border(sign === '^');
    return this.sign(whole);
  }

  private group(): Node {
    const [, looks, on, off] = this.take(GROUP) ?? [];
    if (++this.depth > DEEPEST) throw new NotLinear('Its groups are nested too deeply.');
    const { flags } = this;
    if (on !== undefined) this.flags = withFlags(flags, on, off ?? '');
    const node = this.read();
    this.flags = flags;
    this.depth--;
    this.at++;
    if (looks === undefined || looks === ':') return node;
    return { kind: 'look', node, isBehind: looks.startsWith('<'), isNegated: looks.endsWith('!') };
  }

  private escape(): Node {
    const [whole, number] = /^\\(?:([1-9]\d*)|[^])/.exec(this.source.slice(this.at, this.at + 10)) ?? [];
    const isUnicode = this.flags.includes('u');
    const refers = number === undefined ? whole === '\\k' && this.hasNames : isUnicode || Number(number) <= this.groups;
    if (refers) throw new NotLinear(`It refers back to a group with “${whole}”.`);
    const written = this.take(isUnicode ? ESCAPE_U : ESCAPE)?.[0];
    if (written === undefined) throw new NotLinear('It has a “\\c” without a letter.');
    if (written === '\\b' || written === '\\B') return this.wordBorder(written === '\\b');
    return this.sign(written);
  }

  private wordBorder(isWanted: boolean): Node {
    const isWord = this.fits('\\w');
    const has = (sign: string | undefined) => sign !== undefined && isWord(sign);
    return { kind: 'place', holds: (before, after) => (has(before) !== has(after)) === isWanted };
  }

  private border(isStart: boolean): Node {
    const isEnd = this.flags.includes('m') ? isLineEnd : isNothing;
    return { kind: 'place', holds: (before, after) => isEnd(isStart ? before : after) };
  }

  private sign(source: string): Node {
    return { kind: 'sign', fits: this.fits(source) };
  }

  /** One character cannot take long, so the engine of the language knows best what it means. */
  private fits(source: string): (sign: string) => boolean {
    const key = `${this.flags} ${source}`;
    const found = this.known.get(key) ?? remembered(new RegExp(`^(?:${source})$`, this.flags.replace('m', '')));
    this.known.set(key, found);
    return found;
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found) this.at += found[0].length;
    return found;
  }
}

function repeated(node: Node, [mark, least, comma, most]: RegExpExecArray): Node {
  const sign = mark.charAt(0);
  if (sign !== '{') return { kind: 'repeat', node, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
  const from = Number(least);
  return { kind: 'repeat', node, least: from, most: comma === undefined ? from : most ? Number(most) : Infinity };
}

function withFlags(flags: string, on: string, off: string): string {
  const kept = Array.from(flags).filter((flag) => !off.includes(flag));
  return [...new Set([...kept, ...Array.from(on)])].join('');
}

function isNothing(sign: string | undefined): boolean {
  return sign === undefined;
}

function isLineEnd(sign: string | undefined): boolean {
  return sign === undefined || /^[\n\r\u2028\u2029]$/.test(sign);
}

const UNKNOWN = 0;
const FITS = 1;
const DIFFERS = 2;

/** Remembers the answers for ASCII, which most texts consist of. */
function remembered(expression: RegExp): (sign: string) => boolean {
  const answers = new Uint8Array(128);
  return (sign) => {
    const code = sign.charCodeAt(0);
    if (code >= answers.length) return expression.test(sign);
    if (answers[code] === UNKNOWN) answers[code] = expression.test(sign) ? FITS : DIFFERS;
    return answers[code] === FITS;
  };
}
