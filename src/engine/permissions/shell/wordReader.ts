import { LineLimits, type ShellPart, type ShellWord } from './shellPart';

/** A position in a shell line, and what was not understood on the way there. */
class ShellCursor {
  protected at = 0;
  protected unclear: string | null = null;
  protected unread: string | null = null;

  constructor(protected readonly source: string) {}

  /** Records what is understood well enough to know what may run, but not to allow it. */
  protected doubt(what: string): void {
    this.unclear ??= what;
  }

  /** Records that what follows may be something other than it seems. */
  protected lose(what: string): void {
    this.doubt(what);
    this.unread ??= what;
  }

  protected get ended(): boolean {
    return this.at >= this.source.length;
  }

  protected get peek(): string {
    return this.source.charAt(this.at);
  }

  protected has(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }

  protected skipBlanks(): void {
    while (this.peek === ' ' || this.peek === '\t' || this.has('\\\n')) this.at += this.peek === '\\' ? 2 : 1;
  }

  /** Returns the length of the brackets that make the word before them a function, or 0. */
  protected emptyBrackets(): number {
    return /^\([ \t]*\)/.exec(this.source.slice(this.at, this.at + 20))?.[0].length ?? 0;
  }
}

const MAX_DEPTH = 20;
/** A `${` that is not followed by a name or a special parameter, optionally after `#` or `!`: shells read it differently. */
const STRANGE_BRACE = /^\$\{(?![#!]?[\w@*?#-])/;

/** The end of a list of commands. */
export type ListEnd = 'end' | ')';

/** Reads words with their quotes and expansions. */
export abstract class WordReader extends ShellCursor {
  constructor(
    source: string,
    protected depth: number,
    protected readonly limits: LineLimits,
  ) {
    super(source);
    limits.addText(source);
    this.checkLimits();
  }

  /** Stops reading once the limits are exceeded. */
  protected checkLimits(part: ShellPart | null = null): void {
    if (part) this.limits.addCommand(part);
    if (!this.limits.isExceeded) return;
    this.lose(LineLimits.WHAT);
    this.at = this.source.length;
  }

  protected abstract readList(until: ListEnd): void;
  /** Reads commands that are given as text. */
  protected abstract readNested(text: string): void;
  /** Called for text that may span several lines. */
  protected abstract noteLines(text: string): void;

  /** Returns undefined if there is no word at this position. */
  protected readWord(): WordBuilder | undefined {
    const builder = new WordBuilder();
    while (!this.ended) {
      const character = this.peek;
      if (this.has('\\\n')) this.at += 2;
      else if (character === '\\') this.readEscape(builder);
      else if (character === "'") this.readSingleQuoted(builder);
      else if (character === '"') this.readDoubleQuoted(builder);
      else if (character === '$' || character === '`') this.readExpansion(builder, false);
      else if (this.has('<(') || this.has('>(')) this.readCommandList(builder);
      else if (' \t\n;&|<>()'.includes(character)) break;
      else {
        if (isStrange(character)) this.lose('control characters, or blanks other than spaces');
        builder.plain(character);
        this.at++;
      }
    }
    if (!builder.begun) return undefined;
    this.limits.addWords(1);
    this.checkLimits();
    return builder;
  }

  private readEscape(builder: WordBuilder): void {
    if (this.at + 1 >= this.source.length) this.lose('an incomplete line');
    builder.quoted(this.source.charAt(this.at + 1));
    this.at += 2;
  }

  private readSingleQuoted(builder: WordBuilder): void {
    const end = this.source.indexOf("'", this.at + 1);
    if (end === -1) this.lose('an unclosed quote');
    const text = this.source.slice(this.at + 1, end === -1 ? undefined : end);
    this.at = end === -1 ? this.source.length : end + 1;
    this.noteLines(text);
    builder.quoted(text);
  }

  private readDoubleQuoted(builder: WordBuilder): void {
    this.at++;
    builder.quoted('');
    while (!this.ended) {
      const character = this.peek;
      if (character === '"') {
        this.at++;
        return;
      }
      if (character === '$' || character === '`') {
        this.readExpansion(builder, true);
        continue;
      }
      const escaped = character === '\\' && '$`"\\\n'.includes(this.source.charAt(this.at + 1) || ' ');
      const text = escaped ? this.source.charAt(this.at + 1) : character;
      this.at += escaped ? 2 : 1;
      this.noteLines(text);
      if (!(escaped && text === '\n')) builder.quoted(text);
    }
    this.lose('an unclosed quote');
  }

  protected readExpansion(builder: WordBuilder, inQuotes: boolean): void {
    if (this.peek === '`') return this.readBackticks(builder);
    const rest = this.source.slice(this.at, this.at + 3);
    if (rest.startsWith('$\\\n')) this.lose('a character that continues on the next line');
    if (rest.startsWith('$((')) return this.readArithmetic(builder);
    if (rest.startsWith('$(')) return this.readCommandList(builder);
    if (rest.startsWith('${')) return this.readBraces(builder);
    if (rest.startsWith("$'") && !inQuotes) return this.readAnsiQuoted(builder);
    if (rest.startsWith('$[')) this.lose('arithmetic');
    if (/^\$[A-Za-z_]/.test(rest)) return this.takeName(builder);
    if (/^\$[0-9@*#?$!-]/.test(rest)) return this.takeUnknown(builder, 2);
    // In zsh, these characters say how the variable after them is expanded.
    if (/^\$[=~^+][\w=~^+{@*#?!$-]/.test(rest)) return this.takeUnknown(builder, 2);
    if (rest.startsWith('$"') && !inQuotes) {
      this.at++;
      return builder.unknown('');
    }
    this.at++;
    builder.plain('$');
  }

  private takeName(builder: WordBuilder): void {
    let end = this.at + 1;
    while (/\w/.test(this.source.charAt(end))) end++;
    if (/^\\\n\w/.test(this.source.slice(end, end + 3))) this.lose('a name that continues on the next line');
    this.takeUnknown(builder, end - this.at);
  }

  private takeUnknown(builder: WordBuilder, length: number): void {
    builder.unknown(this.source.slice(this.at, this.at + length));
    this.at += length;
  }

  private readCommandList(builder: WordBuilder): void {
    const start = this.at;
    this.at += 2;
    this.readList(')');
    builder.unknown(this.source.slice(start, this.at));
  }

  private readArithmetic(builder: WordBuilder): void {
    const start = this.at;
    this.at += 3;
    if (++this.depth > MAX_DEPTH) {
      this.lose('arithmetic nested too deep');
      this.at = this.source.length;
    } else this.skipArithmetic();
    this.depth--;
    builder.unknown(this.source.slice(start, this.at));
  }

  /** Skips to the closing `))`. What it contains in brackets may run, and two brackets may also be two lists. */
  protected skipArithmetic(isLoop = false): void {
    const inner = new WordBuilder();
    const start = this.at;
    for (let open = 0; !this.ended;) {
      const character = this.peek;
      if (open === 0 && this.has('))')) {
        const text = this.source.slice(start, this.at);
        this.at += 2;
        if (!/^[\w\s+\-*/%<>=!&|?:,^~()$]*$/.test(text)) this.doubt('arithmetic');
        if (/[#\n'"\\{`]|<<\s*[A-Za-z_]/.test(text) || (!isLoop && text.includes(';'))) this.lose('arithmetic');
        return;
      }
      if (character === '(') open++;
      if (character === ')' && --open < 0) break;
      if (character === '$' || character === '`') this.readExpansion(inner, true);
      else this.at++;
    }
    this.lose('arithmetic');
  }

  private readBackticks(builder: WordBuilder): void {
    const start = this.at++;
    let inner = '';
    while (!this.ended && this.peek !== '`') {
      const escaped = this.peek === '\\' && '`\\$"'.includes(this.source.charAt(this.at + 1) || ' ');
      inner += this.source.charAt(escaped ? this.at + 1 : this.at);
      this.at += escaped ? 2 : 1;
    }
    if (this.ended) this.lose('an unclosed backtick');
    this.at++;
    if (inner.includes('\\')) this.doubt('escapes in backticks');
    this.readNested(inner);
    this.noteLines(inner);
    builder.unknown(this.source.slice(start, this.at));
  }

  private readBraces(builder: WordBuilder): void {
    const start = this.at;
    const inner = new WordBuilder();
    if (STRANGE_BRACE.test(this.source.slice(this.at, this.at + 4))) this.lose('an unknown expansion');
    this.at += 2;
    if (++this.depth > MAX_DEPTH) {
      this.lose('expansions nested too deep');
      this.at = this.source.length;
    }
    while (!this.ended && this.peek !== '}') {
      const character = this.peek;
      // The meaning of quotes here depends on the context.
      if (character === "'" || character === '"') this.lose('an expansion with quotes in it');
      if (/^[<>=]\(/.test(this.source.slice(this.at, this.at + 2))) this.lose('a command in an expansion');
      if (character === '\\') {
        this.doubt('an expansion with escapes in it');
        this.at += 2;
      } else if (character === '$' || character === '`') this.readExpansion(inner, true);
      else this.at++;
    }
    this.depth--;
    if (this.ended) this.lose('an unclosed bracket');
    this.at = Math.min(this.at + 1, this.source.length);
    const text = this.source.slice(start, this.at);
    this.noteLines(text);
    builder.unknown(text);
  }

  private readAnsiQuoted(builder: WordBuilder): void {
    const start = this.at;
    this.at += 2;
    while (!this.ended && this.peek !== "'") {
      // Not every shell knows this quote; to those that do not, it ends here.
      if (this.has("\\'")) this.lose('a quote in a quote');
      this.at += this.peek === '\\' ? 2 : 1;
    }
    if (this.ended) this.lose('an unclosed quote');
    this.at = Math.min(this.at + 1, this.source.length);
    this.noteLines(this.source.slice(start, this.at));
    builder.unknown(this.source.slice(start, this.at));
  }
}

/** Control characters and invisible blanks, which some shells take for letters and others for blanks. */
function isStrange(character: string): boolean {
  return (character < ' ' || character > '~') && /[\p{Cc}\p{Cf}\p{Z}]/u.test(character);
}

/** No option has a longer name. */
const MOST_HEAD = 100;

/** Collects one word of a shell line as it is read. */
export class WordBuilder {
  private text = '';
  private expanded = false;
  private glob = false;
  private names = false;
  private brace = false;
  /** The relevant part of its beginning, so that the whole text is not scanned again for each character. */
  private head = '';
  private last = '';
  /** Whether the last segment of a path begins with a dot. */
  private isDotted = false;
  /** Length of the text before the first quote, escape or expansion. */
  private plainLength: number | null = null;
  /** Where a variable without braces begins that the text ends with. */
  private bareAt: number | null = null;
  begun = false;

  plain(character: string): void {
    if ('*?['.includes(character)) {
      // A name that may begin with anything could be an option, and one that begins with a dot something protected.
      if (this.last === '') this.names = true;
      else if (/^-(?!-[\w-]+=)/.test(this.head) || this.isDotted) this.expanded = true;
      this.glob = true;
    }
    if (character === '~' && ['', '=', ':'].includes(this.last)) this.glob = true;
    if (character === '{') this.brace = true;
    // To zsh, `=NAME` is the file of a program.
    if (this.head === '=' && this.plainLength === null && /[\w./+-]/.test(character)) this.expanded = true;
    const expandsBrace = character === ',' || (character === '.' && this.last === '.');
    if (this.brace && expandsBrace) this.expanded = true;
    this.add(character);
  }

  quoted(text: string): void {
    this.plainLength ??= this.text.length;
    this.add(text);
  }

  /** Adds something whose value only the shell knows. */
  unknown(text: string): void {
    this.quoted(text);
    this.expanded = true;
    this.bareAt = /^\$[A-Za-z_]\w*$/.test(text) ? this.text.length - text.length : null;
  }

  /** Returns true for a word that the shell itself may interpret: a keyword, or a number before a redirection. */
  isPlain(pattern: RegExp): boolean {
    return this.plainLength === null && pattern.test(this.text);
  }

  /** Whether the word begins with an unquoted `NAME=`. */
  get isAssignment(): boolean {
    const name = /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.exec(this.text);
    return name !== null && (this.plainLength === null || name[0].length <= this.plainLength);
  }

  /** Whether the word is a `NAME=` that a list in brackets may follow. */
  get mayHoldList(): boolean {
    return this.isPlain(/^[A-Za-z_]\w*\+?=$/);
  }

  word(): ShellWord {
    // The name of a command, not an unfinished pattern.
    if (this.text === '[') return { text: this.text, kind: 'exact' };
    const kind = this.expanded ? 'unknown' : this.names ? 'names' : this.glob ? 'glob' : 'exact';
    return { text: this.text, kind };
  }

  private add(text: string): void {
    this.begun = true;
    if (text === '') return;
    this.closeName(text);
    const slash = text.lastIndexOf('/');
    if (slash !== -1) this.isDotted = text.charAt(slash + 1) === '.';
    else if (this.last === '' || this.last === '/') this.isDotted = text.startsWith('.');
    if (this.head.length < MOST_HEAD) this.head += text.slice(0, MOST_HEAD);
    this.last = text.slice(-1);
    this.text += text;
  }

  /** Without the quote that separates them, `"$a"b` would read like the variable `$ab`. */
  private closeName(next: string): void {
    if (this.bareAt !== null && /^\w/.test(next)) {
      this.text = `${this.text.slice(0, this.bareAt)}\${${this.text.slice(this.bareAt + 1)}}`;
    }
    this.bareAt = null;
  }
}
