import { PartBuilder } from './partBuilder';
import type { ShellPart, ShellReading } from './shellPart';
import { WordBuilder } from './wordBuilder';

const MAX_LINE = 20_000;
const MAX_DEPTH = 20;

/** Where a list of commands ends. */
type Until = 'end' | ')';

interface HereDocument {
  delimiter: string;
  /** Expanded by the shell, so that it may hold commands. */
  expands: boolean;
  stripsTabs: boolean;
}

/** Takes a line for bash or sh apart into its simple commands, as deep as they stand. Never throws. */
export function splitPosix(line: string): ShellReading {
  if (line.length > MAX_LINE) return { parts: [], unclear: 'a line too long to be judged' };
  const reader = new PosixReader(line, 0);
  reader.readList('end');
  return reader.reading();
}

/**
 * A scanner that is sure of what it says or says that it is not. Grouping does not matter for what would be run, so
 * every operator and bracket only ends one simple command and begins the next.
 */
class PosixReader {
  private at = 0;
  private readonly parts: ShellPart[] = [];
  private readonly hereDocuments: HereDocument[] = [];
  private unclear: string | null = null;
  private part = new PartBuilder();

  constructor(
    private readonly source: string,
    private depth: number,
  ) {}

  reading(): ShellReading {
    if (this.hereDocuments.length > 0) this.doubt('a here-document without its end');
    return { parts: this.parts, unclear: this.unclear };
  }

  readList(until: Until): void {
    const outer = this.part;
    this.part = new PartBuilder();
    if (++this.depth > MAX_DEPTH) {
      this.doubt('commands nested too deep');
      this.at = this.source.length;
    }
    this.readCommands(until);
    this.depth--;
    this.endPart();
    this.part = outer;
  }

  /** The text of a here-document that the shell expands. */
  readExpandedText(): void {
    const ignored = new WordBuilder();
    while (!this.ended) {
      const character = this.peek;
      if (character === '\\') this.at += 2;
      else if (character === '$' || character === '`') this.readExpansion(ignored, true);
      else this.at++;
    }
  }

  private readCommands(until: Until): void {
    for (let open = 0; !this.ended;) {
      const character = this.peek;
      if (character === ' ' || character === '\t' || this.has('\\\n')) this.at += character === '\\' ? 2 : 1;
      else if (character === '#') this.skipComment();
      else if (character === '\n') this.newline();
      else if (character === ')') {
        this.at++;
        this.endPart();
        if (open === 0 && until === ')') return;
        if (open === 0) this.doubt('a bracket that closes nothing');
        else open--;
      } else if (character === '(') {
        open++;
        this.openBracket();
      } else if (this.atRedirection) this.readRedirection(this.at);
      else if (character === ';' || character === '&' || character === '|') this.operator();
      else this.readWordInto();
    }
    if (until === ')') this.doubt('a bracket that is not closed');
  }

  private openBracket(): void {
    if (this.has('((')) this.doubt('arithmetic');
    else if (this.part.build(this.source) !== null) this.doubt('a function or a list');
    this.at++;
    this.endPart();
  }

  private operator(): void {
    if (this.has(';;') || this.has(';&')) this.doubt('“case”');
    this.at++;
    this.endPart();
  }

  private skipComment(): void {
    while (!this.ended && this.peek !== '\n') this.at++;
  }

  private newline(): void {
    this.at++;
    this.endPart();
    for (const document of this.hereDocuments.splice(0)) this.skipHereDocument(document);
  }

  private skipHereDocument({ delimiter, expands, stripsTabs }: HereDocument): void {
    const start = this.at;
    while (!this.ended) {
      const lineStart = this.at;
      const found = this.source.indexOf('\n', this.at);
      const lineEnd = found === -1 ? this.source.length : found;
      this.at = Math.min(lineEnd + 1, this.source.length);
      const line = this.source.slice(lineStart, lineEnd);
      if ((stripsTabs ? line.replace(/^\t+/, '') : line) !== delimiter) continue;
      if (expands) this.readNested(this.source.slice(start, lineStart), (reader) => reader.readExpandedText());
      return;
    }
    this.doubt('a here-document without its end');
  }

  private get atRedirection(): boolean {
    if (this.has('<(') || this.has('>(')) return false;
    return this.peek === '<' || this.peek === '>' || this.has('&>');
  }

  /** `start` is where the whole of it begins, with the number in front. */
  private readRedirection(start: number): void {
    const operator =
      /^(<<<|<<-|<<|<>|<&|<|&>>|&>|>>|>\||>&|>)/.exec(this.source.slice(this.at, this.at + 3))?.[0] ?? '<';
    this.at += operator.length;
    this.skipBlanks();
    const target = this.readWord();
    if (!target) return this.doubt('a redirection to nowhere');
    const word = target.word();
    this.part.touch(start, this.at);
    if (operator === '<<<') return;
    if (operator === '<<' || operator === '<<-') {
      if (word.kind === 'unknown') this.doubt('a here-document whose end is not known');
      const expands = target.isPlain(/^/);
      this.hereDocuments.push({ delimiter: word.text, expands, stripsTabs: operator === '<<-' });
      return;
    }
    if (operator.endsWith('&') && target.isPlain(/^(\d+-?|-)$/)) return;
    if (operator === '<&') this.doubt('a redirection from an unknown place');
    this.part.redirect({ kind: operator === '<' ? 'read' : 'write', target: word }, start, this.at);
  }

  private skipBlanks(): void {
    while (this.peek === ' ' || this.peek === '\t' || this.has('\\\n')) this.at += this.peek === '\\' ? 2 : 1;
  }

  private readWordInto(): void {
    const start = this.at;
    const builder = this.readWord();
    if (!builder) {
      // Nothing begins with this character, so it must not be read again.
      this.at++;
      return this.doubt('signs that are not understood');
    }
    const numbered = this.atRedirection && this.peek !== '&' && builder.isPlain(/^(\d+|\{\w+\})$/);
    if (numbered) return this.readRedirection(start);
    const doubt = this.part.add(builder, start, this.at);
    if (doubt !== null) this.doubt(doubt);
  }

  /** Undefined when no word stands here. */
  private readWord(): WordBuilder | undefined {
    const builder = new WordBuilder();
    while (!this.ended) {
      const character = this.peek;
      if (this.has('\\\n')) this.at += 2;
      else if (character === '\\') this.readEscape(builder);
      else if (character === "'") this.readSingleQuoted(builder);
      else if (character === '"') this.readDoubleQuoted(builder);
      else if (character === '$' || character === '`') this.readExpansion(builder, false);
      else if (this.has('<(') || this.has('>(')) this.readCommandList(builder, 2);
      else if (' \t\n;&|<>()'.includes(character)) break;
      else {
        if (isControl(character)) this.doubt('control characters');
        builder.plain(character);
        this.at++;
      }
    }
    if (this.peek === '(' && builder.begun) this.doubt('a function or a list');
    return builder.begun ? builder : undefined;
  }

  private readEscape(builder: WordBuilder): void {
    if (this.at + 1 >= this.source.length) this.doubt('a line that ends too early');
    builder.quoted(this.source.charAt(this.at + 1));
    this.at += 2;
  }

  private readSingleQuoted(builder: WordBuilder): void {
    const end = this.source.indexOf("'", this.at + 1);
    if (end === -1) this.doubt('a quote that is not closed');
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
    this.doubt('a quote that is not closed');
  }

  /** Where exactly a here-document begins after a quote over several lines is for the shell to say. */
  private noteLines(text: string): void {
    if (text.includes('\n') && this.hereDocuments.length > 0) this.doubt('a quote across a here-document');
  }

  private readExpansion(builder: WordBuilder, inQuotes: boolean): void {
    if (this.peek === '`') return this.readBackticks(builder);
    const rest = this.source.slice(this.at, this.at + 200);
    const arithmetic = /^\$\(\([\w\s+\-*/%<>=!&|?:,^~]*\)\)/.exec(rest);
    if (arithmetic) return this.takeUnknown(builder, arithmetic[0].length);
    if (rest.startsWith('$((')) this.doubt('arithmetic');
    if (rest.startsWith('$(')) return this.readCommandList(builder, 2);
    if (rest.startsWith('${')) return this.readBraces(builder);
    if (rest.startsWith("$'") && !inQuotes) return this.readAnsiQuoted(builder);
    if (rest.startsWith('$[')) this.doubt('arithmetic');
    const name = /^\$([A-Za-z_]\w*|[0-9@*#?$!-])/.exec(rest);
    if (name) return this.takeUnknown(builder, /^\$[A-Za-z_]/.test(rest) ? this.nameLength() : name[0].length);
    if (rest.startsWith('$"') && !inQuotes) {
      this.at++;
      return builder.unknown('');
    }
    this.at++;
    builder.plain('$');
  }

  private nameLength(): number {
    let end = this.at + 1;
    while (/\w/.test(this.source.charAt(end))) end++;
    return end - this.at;
  }

  private takeUnknown(builder: WordBuilder, length: number): void {
    builder.unknown(this.source.slice(this.at, this.at + length));
    this.at += length;
  }

  private readCommandList(builder: WordBuilder, opening: number): void {
    const start = this.at;
    this.at += opening;
    this.readList(')');
    builder.unknown(this.source.slice(start, this.at));
  }

  private readBackticks(builder: WordBuilder): void {
    const start = this.at++;
    let inner = '';
    while (!this.ended && this.peek !== '`') {
      const escaped = this.peek === '\\' && '`\\$"'.includes(this.source.charAt(this.at + 1) || ' ');
      inner += this.source.charAt(escaped ? this.at + 1 : this.at);
      this.at += escaped ? 2 : 1;
    }
    if (this.ended) this.doubt('a backtick that is not closed');
    this.at++;
    this.readNested(inner, (reader) => reader.readList('end'));
    this.noteLines(inner);
    builder.unknown(this.source.slice(start, this.at));
  }

  private readBraces(builder: WordBuilder): void {
    const start = this.at;
    const inner = new WordBuilder();
    this.at += 2;
    if (++this.depth > MAX_DEPTH) {
      this.doubt('expansions nested too deep');
      this.at = this.source.length;
    }
    while (!this.ended && this.peek !== '}') {
      const character = this.peek;
      // What quotes mean here depends on what stands around.
      if (character === "'" || character === '"') this.doubt('an expansion with quotes in it');
      if (character === '\\') this.at += 2;
      else if (character === '$' || character === '`') this.readExpansion(inner, true);
      else this.at++;
    }
    this.depth--;
    if (this.ended) this.doubt('a bracket that is not closed');
    this.at = Math.min(this.at + 1, this.source.length);
    builder.unknown(this.source.slice(start, this.at));
  }

  private readAnsiQuoted(builder: WordBuilder): void {
    const start = this.at;
    this.at += 2;
    while (!this.ended && this.peek !== "'") this.at += this.peek === '\\' ? 2 : 1;
    if (this.ended) this.doubt('a quote that is not closed');
    this.at = Math.min(this.at + 1, this.source.length);
    this.noteLines(this.source.slice(start, this.at));
    builder.unknown(this.source.slice(start, this.at));
  }

  private readNested(text: string, read: (reader: PosixReader) => void): void {
    if (this.depth >= MAX_DEPTH) return this.doubt('commands nested too deep');
    const reader = new PosixReader(text, this.depth + 1);
    read(reader);
    const { parts, unclear } = reader.reading();
    this.parts.push(...parts);
    if (unclear !== null) this.doubt(unclear);
  }

  private endPart(): void {
    const part = this.part.build(this.source);
    if (part) this.parts.push(part);
    this.part = new PartBuilder();
  }

  private doubt(what: string): void {
    this.unclear ??= what;
  }

  private get ended(): boolean {
    return this.at >= this.source.length;
  }

  private get peek(): string {
    return this.source.charAt(this.at);
  }

  private has(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }
}

function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 0x20 || code === 0x7f;
}
