/** Maximum number of patterns that an expression may stand for. */
const MOST = 64;
const PLAIN = /[\w\s/@~,:#%&=!<>'"-]/;

/**
 * Returns patterns with `*` that match the same paths as a regular expression of Roo Code, so that an expression of a repository never
 * has to run; undefined if there are none, or too many.
 */
export function pathPatterns(regex: string): string[] | undefined {
  const reader = new Reader(regex);
  const read = reader.alternatives();
  if (!read || !reader.isOver) return undefined;
  // An expression matches anywhere in the path, unless it says where.
  const whole = read.map((one) => {
    const start = one.startsWith('^') ? one.slice(1) : `*${one}`;
    return start.endsWith('$') ? start.slice(0, -1) : `${start}*`;
  });
  return whole.some((one) => /[$^]/.test(one)) ? undefined : whole.map((one) => one.replace(/\*+/g, '*'));
}

/** Reads the part of the syntax in which such expressions are written: text, `.*`, groups, alternatives, and `?`. */
class Reader {
  private at = 0;

  constructor(private readonly regex: string) {}

  get isOver(): boolean {
    return this.at === this.regex.length;
  }

  alternatives(): string[] | undefined {
    const all: string[] = [];
    do {
      const read = this.sequence();
      if (!read || all.length + read.length > MOST) return undefined;
      all.push(...read);
    } while (this.takes('|'));
    return all;
  }

  private sequence(): string[] | undefined {
    let all = [''];
    while (!this.isOver && this.next !== '|' && this.next !== ')') {
      const read = this.piece();
      if (!read || all.length * read.length > MOST) return undefined;
      all = all.flatMap((one) => read.map((other) => one + other));
    }
    return all;
  }

  private piece(): string[] | undefined {
    if (this.takes('.*')) return ['*'];
    if (this.takes('^')) return ['^'];
    if (this.takes('$')) return ['$'];
    const one = this.takes('(') ? this.group() : this.letters();
    if (!one) return undefined;
    if (this.takes('?')) return [...one, ''];
    return /[*+{]/.test(this.next) ? undefined : one;
  }

  private group(): string[] | undefined {
    if (this.next === '?' && !this.takes('?:')) return undefined;
    const inside = this.alternatives();
    return inside && this.takes(')') ? inside : undefined;
  }

  private letters(): string[] | undefined {
    const [, set] = /^\[([\w-]{1,20})\]/.exec(this.regex.slice(this.at)) ?? [];
    if (set !== undefined && !set.includes('-')) {
      this.at += set.length + 2;
      return set.match(/./g) ?? [];
    }
    if (this.takes('\\')) {
      const sign = this.take();
      return /[.\/\-_()[\]+@]/.test(sign) ? [sign] : undefined;
    }
    return PLAIN.test(this.next) ? [this.take()] : undefined;
  }

  private get next(): string {
    return this.regex.charAt(this.at);
  }

  private take(): string {
    return this.regex.charAt(this.at++);
  }

  private takes(text: string): boolean {
    if (!this.regex.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }
}
