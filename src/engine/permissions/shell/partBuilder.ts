import type { ShellPart, ShellRedirection, ShellWord } from './shellPart';
import type { WordBuilder } from './wordBuilder';

const JOINED: ShellWord = { text: '', kind: 'unknown' };

/** Collects one simple command while it is read. */
export class PartBuilder {
  private start: number | null = null;
  private end = 0;
  private readonly assignments: ShellWord[] = [];
  private readonly words: ShellWord[] = [];
  private readonly redirections: ShellRedirection[] = [];
  private readonly inputs: ShellWord[] = [];
  private closed = false;
  private dropped = false;
  private timed = false;
  /** How many pipes, files and texts it reads. */
  private sources: number;

  /** `isPiped`: what stands before it is piped into it. */
  constructor(readonly isPiped = false) {
    this.sources = isPiped ? 1 : 0;
  }

  /** True where a word of the shell's own may stand. */
  get atCommand(): boolean {
    return this.words.length === 0 && this.assignments.length === 0;
  }

  /** True where `NAME=value` sets a variable. */
  get takesAssignments(): boolean {
    return this.words.length === 0;
  }

  /** True after the word that ends a group; only redirections may follow. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** The name of a function, if that is all there is. */
  get isOneWord(): boolean {
    return this.words.length === 1 && this.assignments.length + this.redirections.length === 0;
  }

  /** True after `time` with nothing but its options. */
  get isTimed(): boolean {
    return this.timed;
  }

  add(builder: WordBuilder, start: number, end: number): void {
    this.touch(start, end);
    if (this.takesAssignments && builder.isAssignment) this.assignments.push(builder.word());
    else this.addWord(builder.word());
  }

  /** Each word is looked at once: a line may have very many. */
  private addWord(word: ShellWord): void {
    this.timed = this.words.length === 0 ? word.text === 'time' : this.timed && /^(-.*|!|time)$/.test(word.text);
    this.words.push(word);
  }

  close(): void {
    this.closed = true;
  }

  /** Takes the words that follow for what a loop goes through or what a function is called, not for a command. */
  drop(): void {
    this.dropped = true;
  }

  redirect(redirection: ShellRedirection, start: number, end: number): void {
    this.touch(start, end);
    this.redirections.push(redirection);
  }

  /** For each redirection that is read from. Some shells join all that is read into one text, others take the last. */
  addSource(): void {
    if (++this.sources > 1) this.give(JOINED);
  }

  give(input: ShellWord): void {
    this.inputs.push(input);
  }

  /** A here-document or here-string belongs to the text. */
  touch(start: number, end: number): void {
    this.start ??= start;
    this.end = end;
  }

  /** The part, or null when nothing was in it. */
  build(source: string): ShellPart | null {
    if (this.start === null) return null;
    const { assignments, words, redirections, inputs } = this;
    const text = source.slice(this.start, this.end);
    // What a loop goes through is given to what it runs.
    const piped = this.isPiped && ({ isPiped: true } as const);
    if (this.dropped) return { text, assignments, words: [], redirections, inputs: [...inputs, ...words], ...piped };
    return { text, assignments, words, redirections, inputs, ...piped };
  }
}
