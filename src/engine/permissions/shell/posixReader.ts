import { type HereDocument, hereDocumentText, KEYWORDS, otherShellsText, PartBuilder } from './partBuilder';
import type { LineLimits, ShellPart, ShellReading } from './shellPart';
import { type ListEnd, WordBuilder, WordReader } from './wordReader';

const MAX_DEPTH = 20;
const MAX_OTHER_DEPTH = 4;

/** An open construct in a list: a bracket, or a `case` before or after the bracket of one of its patterns. */
type Frame = '(' | 'pattern' | 'body';

/**
 * A scanner that is certain of its result or says that it is not. Grouping does not affect what would run, so every operator and
 * bracket just ends one simple command and begins the next.
 */
export class PosixReader extends WordReader {
  private readonly parts: ShellPart[] = [];
  private hereDocuments: HereDocument[] = [];
  private part = new PartBuilder();
  private frames: Frame[] = [];
  /** True after the beginning of a loop or a function. */
  private repeats = false;

  static read(line: string, limits: LineLimits): ShellReading {
    const reader = new PosixReader(line, 0, limits);
    reader.readList('end');
    return reader.reading();
  }

  private reading(): ShellReading {
    return { parts: this.parts, unclear: this.unclear, unread: this.unread };
  }

  protected override readList(until: ListEnd): void {
    const { part, frames } = this;
    this.part = new PartBuilder();
    this.frames = [];
    if (++this.depth > MAX_DEPTH) {
      this.lose('commands nested too deep');
      this.at = this.source.length;
    }
    this.readCommands(until);
    if (this.frames.length > 0) this.lose('an unclosed bracket or “case”');
    if (this.hereDocuments.some(({ depth }) => depth === this.depth)) this.lose('a here-document without an end');
    this.depth--;
    this.endPart();
    this.part = part;
    this.frames = frames;
  }

  private readCommands(until: ListEnd): void {
    while (!this.ended) {
      const character = this.peek;
      if (character === ' ' || character === '\t' || this.has('\\\n')) this.at += character === '\\' ? 2 : 1;
      else if (character === '#') this.skipComment();
      else if (character === '\n') this.newline();
      else if (this.frames.at(-1) === 'pattern') this.readPattern();
      else if (character === ')') {
        if (this.closeBracket(until)) return;
      } else if (character === '(') this.openBracket();
      else if (this.atRedirection) this.readRedirection(this.at);
      else if (character === ';' || character === '&' || character === '|') this.operator();
      else this.readWordInto();
    }
    if (until === ')') this.lose('an unclosed bracket');
  }

  private openBracket(): void {
    const empty = this.emptyBrackets();
    if (empty > 0 && this.part.isOneWord) return this.beginFunction(empty);
    if (!this.part.atCommand || this.part.isClosed) this.lose('a function or a list');
    if (this.has('((')) return this.readArithmeticCommand();
    this.at++;
    this.endPart();
    this.frames.push('(');
  }

  /** Returns true at the end of the list. */
  private closeBracket(until: ListEnd): boolean {
    this.at++;
    this.endPart();
    if (this.frames.at(-1) === '(') this.frames.pop();
    else if (this.frames.length === 0 && until === ')') return true;
    else this.lose('an unmatched closing bracket');
    // Only an operator or a redirection may follow.
    this.part.close();
    return false;
  }

  private beginFunction(length: number): void {
    this.doubt('a function');
    this.repeats = true;
    this.at += length;
    this.part = new PartBuilder();
  }

  private readArithmeticCommand(isLoop = false): void {
    const start = this.at;
    this.doubt('arithmetic');
    this.at += 2;
    this.skipArithmetic(isLoop);
    if (!isLoop) this.readForOthers(this.source.slice(start + 2, this.at - 2), 'arithmetic');
    this.addWhole(start);
  }

  /** Shells that do not know `[[` and `((` read their content as commands. */
  private readForOthers(inside: string, of: 'test' | 'arithmetic'): void {
    const text = otherShellsText(inside, of);
    // A line that was not understood asks in any case.
    if (text === null || this.unread !== null) return;
    if (this.depth > MAX_OTHER_DEPTH) this.lose('commands nested too deep');
    else this.readNested(text);
  }

  /** Adds a construct that is a command as a whole, such as a test, from its first character to here. */
  private addWhole(start: number): void {
    const [name, whole] = [new WordBuilder(), new WordBuilder()];
    name.quoted(this.source.slice(start, start + 2));
    whole.unknown(this.source.slice(start, this.at));
    this.part.add(name, start, this.at);
    this.part.add(whole, start, this.at);
    this.part.close();
  }

  private operator(): void {
    const ends = /^;(;&|;|&)/.exec(this.source.slice(this.at, this.at + 3))?.[0];
    const isPipe = this.peek === '|' && !this.has('||');
    this.at += ends?.length ?? (this.has('||') ? 2 : 1);
    this.endPart();
    if (isPipe) this.part = new PartBuilder(true);
    if (ends === undefined) return;
    if (this.frames.at(-1) === 'body') this.frames[this.frames.length - 1] = 'pattern';
    else this.lose('“case”');
  }

  private skipComment(): void {
    if (this.depth > 1) this.doubt('a comment inside another command');
    while (!this.ended && this.peek !== '\n') this.at++;
  }

  private newline(): void {
    this.at++;
    this.endPart();
    if (this.hereDocuments.some(({ depth }) => depth !== this.depth)) this.lose('a here-document across a bracket');
    for (const document of this.hereDocuments.splice(0)) this.skipHereDocument(document);
  }

  private skipHereDocument(document: HereDocument): void {
    const { text, next } = hereDocumentText(this.source, this.at, document);
    this.at = next;
    if (text === null) return this.lose('a here-document without an end');
    const { expands, part } = document;
    part.give({ text, kind: expands && /[$`]/.test(text) ? 'unknown' : 'exact' });
    if (expands) this.readExpandedText(text);
  }

  /** Reads the text of a here-document that the shell expands. */
  private readExpandedText(text: string): void {
    // Two joined lines may or may not be the end.
    if (text.includes('\\\n')) this.lose('a here-document with joined lines');
    const reader = new PosixReader(text, this.depth + 1, this.limits);
    const ignored = new WordBuilder();
    while (!reader.ended) {
      const character = reader.peek;
      if (character === '\\') reader.at += 2;
      else if (character === '$' || character === '`') reader.readExpansion(ignored, true);
      else reader.at++;
    }
    this.takeIn(reader);
  }

  private get atRedirection(): boolean {
    if (this.has('<(') || this.has('>(')) return false;
    return this.peek === '<' || this.peek === '>' || this.has('&>');
  }

  /** `start` is where the redirection begins, including the number before it. */
  private readRedirection(start: number): void {
    const operator =
      /^(<<<|<<-|<<|<>|<&|<|&>>|&>|>>|>\||>&|>)/.exec(this.source.slice(this.at, this.at + 3))?.[0] ?? '<';
    this.at += operator.length;
    this.skipBlanks();
    const from = this.at;
    const target = this.readWord();
    if (!target) return this.lose('a redirection to nowhere');
    // Some shells strip this character from the file name.
    if (this.source.charAt(from) === '!') this.lose('a forced redirection');
    if (this.peek === '(') this.lose('a function or a list');
    const word = target.word();
    this.part.touch(start, this.at);
    if (operator.startsWith('<')) this.part.addSource();
    if (operator === '<<<') return this.part.give(word);
    if (operator === '<<' || operator === '<<-') return this.openHereDocument(target, operator === '<<-', from);
    if (operator.endsWith('&') && target.isPlain(/^(\d+-?|-)$/)) return;
    if (operator === '<>') this.part.redirect({ kind: 'read', target: word }, start, this.at);
    if (operator === '<&') this.doubt('a redirection from an unknown source');
    this.part.redirect({ kind: operator === '<' ? 'read' : 'write', target: word }, start, this.at);
    if (operator.startsWith('&')) this.endAfterBoth();
  }

  /** Plain `sh` reads `&>` as the end of one command and the beginning of another, made of what follows. */
  private endAfterBoth(): void {
    this.skipBlanks();
    if (!this.ended && !'\n;&|)'.includes(this.peek))
      this.lose('words after “&>”, which some shells read as a command');
  }

  private openHereDocument(target: WordBuilder, stripsTabs: boolean, from: number): void {
    const { text, kind } = target.word();
    const written = this.source.slice(from, this.at);
    if (kind !== 'exact' || !/^[\w.!%+:@-]+$/.test(text)) this.lose('a here-document whose end is unknown');
    if (!/^\\?(['"]?)[\w.!%+:@-]+\1$/.test(written)) this.lose('a here-document whose end is unknown');
    if (this.depth > 1) this.doubt('a here-document inside another command');
    const expands = target.isPlain(/^/);
    this.hereDocuments.push({ delimiter: text, expands, stripsTabs, depth: this.depth, part: this.part });
  }

  private readWordInto(): void {
    const start = this.at;
    const builder = this.readWord();
    if (!builder) {
      // Nothing begins with this character, so it must not be read again.
      this.at++;
      return this.lose('characters that are not understood');
    }
    const numbered = this.atRedirection && this.peek !== '&' && builder.isPlain(/^(\d+|\{\w+\})$/);
    // To dash, a name in braces is a word before the redirection.
    if (numbered && builder.isPlain(/^\{/)) this.doubt('a redirection with a name in braces');
    if (numbered) return this.readRedirection(start);
    if (this.peek === '(') return this.readBracketAfter(builder, start);
    if (this.part.atCommand && this.readKeyword(builder, start)) return;
    if (this.part.isClosed) this.lose('words after the end of a group');
    // To zsh, what follows a brace on the same line begins a command.
    if ((this.part.atCommand || this.part.isTimed) && this.source.charAt(start) === '{')
      this.lose('a brace before a command');
    // To some shells, a brace on its own always ends a group, and opens one after certain words.
    if (!this.part.atCommand && builder.isPlain(/^[{}]$/)) this.lose('a brace among words');
    if (this.part.isTimed && builder.isPlain(KEYWORDS.group)) this.lose('a timed group');
    this.part.add(builder, start, this.at);
  }

  private readBracketAfter(builder: WordBuilder, start: number): void {
    const empty = this.emptyBrackets();
    if (builder.mayHoldList && this.part.takesAssignments) {
      this.readArray(builder);
      this.part.add(builder, start, this.at);
    } else if (empty > 0 && this.part.atCommand && builder.isPlain(/^[\w-]+$/)) this.beginFunction(empty);
    else {
      this.lose('a function or a list');
      this.part.add(builder, start, this.at);
    }
  }

  private readArray(builder: WordBuilder): void {
    const start = this.at++;
    this.doubt('a list of values');
    for (;;) {
      this.skipBlanks();
      if (this.peek === '\n') this.newline();
      else if (this.peek === '#') this.skipComment();
      else if (!this.readWord()) break;
    }
    if (!/^\)([\s;&|<>)]|$)/.test(this.source.slice(this.at, this.at + 2))) this.lose('a list of values');
    this.at++;
    builder.unknown(this.source.slice(start, this.at));
  }

  /** Returns true for a shell keyword that was handled. */
  private readKeyword(builder: WordBuilder, start: number): boolean {
    const is = (pattern: RegExp) => builder.isPlain(pattern);
    this.repeats ||= is(KEYWORDS.repeating);
    if (is(KEYWORDS.opening)) {
      if (this.part.isClosed) this.lose('words after the end of a group');
      return true;
    }
    if (is(KEYWORDS.closing)) this.part.close();
    else if (is(/^esac$/)) this.endCase();
    else if (is(KEYWORDS.loop)) this.beginLoop(builder.word().text);
    else if (is(/^case$/)) this.beginCase();
    else if (is(/^function$/)) this.nameFunction();
    else if (is(KEYWORDS.foreign)) this.lose(`“${builder.word().text}”`);
    else if (is(/^\[\[$/)) this.readTest(start);
    else return false;
    return true;
  }

  private beginLoop(word: string): void {
    this.doubt(`“${word}”`);
    this.skipBlanks();
    if (this.has('((')) this.readArithmeticCommand(true);
    else this.nameLoop(word);
    this.part.drop();
  }

  /** Only `in` or nothing may follow the name, since any other word may already be a command. */
  private nameLoop(word: string): void {
    const start = this.at;
    const name = this.readWord();
    if (name?.isPlain(/^\w+$/)) this.part.add(name, start, this.at);
    else this.lose(`“${word}”`);
    this.skipBlanks();
    if (!/^(in(?=[\s;\\]|$)|[;\n])/.test(this.source.slice(this.at, this.at + 4))) this.lose(`“${word}”`);
  }

  private nameFunction(): void {
    this.doubt('a function');
    this.skipBlanks();
    if (!this.readWord()?.isPlain(/^[\w-]+$/)) this.lose('a function');
    this.skipBlanks();
    this.at += this.emptyBrackets();
  }

  private beginCase(): void {
    this.doubt('“case”');
    this.skipBlanks();
    if (!this.readWord()) this.lose('“case”');
    while (this.skipLine());
    if (!this.readWord()?.isPlain(/^in$/)) this.lose('“case”');
    this.frames.push('pattern');
  }

  /** Skips blanks and one line end; returns false if there is no line end. */
  private skipLine(): boolean {
    this.skipBlanks();
    if (this.peek !== '\n') return false;
    this.newline();
    return true;
  }

  private endCase(): void {
    if (this.frames.at(-1) === '(' || this.frames.length === 0) this.lose('“case”');
    this.frames.pop();
    this.part.close();
  }

  private readPattern(): void {
    const bracket = this.peek === '(';
    if (bracket) this.at++;
    for (let first = true; ; first = false) {
      this.skipBlanks();
      const word = this.readWord();
      if (first && !bracket && word?.isPlain(/^esac$/)) return this.endCase();
      this.skipBlanks();
      if (!word || (this.peek !== '|' && this.peek !== ')')) {
        this.lose('“case”');
        this.at++;
        break;
      }
      if (this.source.charAt(this.at++) === ')') break;
    }
    this.frames[this.frames.length - 1] = 'body';
  }

  /** `[[ … ]]`, in which operators and brackets are ordinary characters. */
  private readTest(start: number): void {
    this.doubt('“[[”');
    while (!this.ended) {
      this.skipBlanks();
      if (this.peek === '\n') this.newline();
      if (this.peek === ';' || this.peek === '#') break;
      const word = this.readWord();
      if (word?.isPlain(/^\]\]$/)) {
        this.readForOthers(`test${this.source.slice(start + 2, this.at)}`, 'test');
        return this.addWhole(start);
      }
      if (!word) this.at++;
    }
    this.lose('“[[”');
    this.addWhole(start);
  }

  protected override readNested(text: string): void {
    if (this.depth >= MAX_DEPTH) return this.lose('commands nested too deep');
    const reader = new PosixReader(text, this.depth + 1, this.limits);
    reader.readList('end');
    this.takeIn(reader);
  }

  private takeIn(reader: PosixReader): void {
    const { parts, unclear, unread } = reader.reading();
    this.parts.push(...(this.repeats ? parts.map((part): ShellPart => ({ ...part, repeats: true })) : parts));
    if (unread !== null) this.lose(unread);
    if (unclear !== null) this.doubt(unclear);
    this.checkLimits();
  }

  /** The shell decides where exactly a here-document begins after a quote that spans lines. */
  protected override noteLines(text: string): void {
    if (text.includes('\n') && this.hereDocuments.length > 0) this.lose('a quote across a here-document');
  }

  private endPart(): void {
    const part = this.part.build(this.source);
    if (part) this.parts.push(this.repeats ? { ...part, repeats: true } : part);
    this.checkLimits(part);
    // A pipe continues over line ends and brackets.
    this.part = new PartBuilder(part === null && this.part.isPiped);
  }
}
