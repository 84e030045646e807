/** A token of a written type: a name, string, number, or sign. */
export interface TypeToken {
  readonly kind: 'name' | 'text' | 'number' | 'sign';
  /** For a string, the contents of its quotes. */
  readonly value: string;
}

const TOKEN =
  /\s+|([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\$]|\\.)*)`|(-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)|(\/\/[^\n]*|\/\*[^]*?\*\/|#[^\n]*)|(=>|\.\.\.|[^\s])/gy;

/** No handwritten type is longer. */
const MOST = 5000;

/** Splits a type into tokens; returns none if it is too long to be a type. */
export function typeTokens(text: string): TypeToken[] {
  const tokens: TypeToken[] = [];
  if (text.length > MOST) return tokens;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const [, name, double, single, template, number, , sign] = found;
    const words = double ?? single ?? template;
    if (name !== undefined) tokens.push({ kind: 'name', value: name });
    else if (words !== undefined) tokens.push({ kind: 'text', value: unescaped(words) });
    else if (number !== undefined) tokens.push({ kind: 'number', value: number.replaceAll('_', '') });
    else if (sign !== undefined) tokens.push({ kind: 'sign', value: sign });
  }
  return tokens;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, character: string) => ({ n: '\n', t: '\t' })[character] ?? character);
}

/** Reads tokens one by one. */
export class TokenReader {
  private at = 0;

  constructor(private readonly tokens: readonly TypeToken[]) {}

  get isDone(): boolean {
    return this.at >= this.tokens.length;
  }

  peek(): TypeToken | undefined {
    return this.tokens[this.at];
  }

  /** Consumes the next token if it is this sign, and returns whether it was. */
  takes(sign: string): boolean {
    const is = this.isSign(sign);
    if (is) this.at++;
    return is;
  }

  isSign(sign: string): boolean {
    const token = this.peek();
    return token?.kind === 'sign' && token.value === sign;
  }

  next(): TypeToken | undefined {
    return this.tokens[this.at++];
  }
}
