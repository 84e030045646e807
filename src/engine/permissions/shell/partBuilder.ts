import type { ShellPart, ShellRedirection, ShellWord } from './shellPart';
import type { WordBuilder } from './wordReader';

const JOINED: ShellWord = { text: '', kind: 'unknown' };

/** Collects one simple command as it is read. */
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
  /** The number of pipes, files and texts that it reads. */
  private sources: number;

  /** `isPiped`: what precedes it is piped into it. */
  constructor(readonly isPiped = false) {
    this.sources = isPiped ? 1 : 0;
  }

  /** True where a shell keyword may appear. */
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

  /** Whether one word, such as a function name, is all there is. */
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

  /** Each word is checked only once, since a line may have very many. */
  private addWord(word: ShellWord): void {
    this.timed = this.words.length === 0 ? word.text === 'time' : this.timed && /^(-.*|!|time)$/.test(word.text);
    this.words.push(word);
  }

  close(): void {
    this.closed = true;
  }

  /** Treats the words that follow as the values of a loop or the name of a function, not as a command. */
  drop(): void {
    this.dropped = true;
  }

  redirect(redirection: ShellRedirection, start: number, end: number): void {
    this.touch(start, end);
    this.redirections.push(redirection);
  }

  /** Called for each redirection that is read from. Some shells concatenate all sources, others use the last one. */
  addSource(): void {
    if (++this.sources > 1) this.give(JOINED);
  }

  give(input: ShellWord): void {
    this.inputs.push(input);
  }

  /** Extends the part's text, also over a here-document or here-string. */
  touch(start: number, end: number): void {
    this.start ??= start;
    this.end = end;
  }

  /** Returns the part, or null if it is empty. */
  build(source: string): ShellPart | null {
    if (this.start === null) return null;
    const { assignments, words, redirections, inputs } = this;
    const text = source.slice(this.start, this.end);
    // The values of a loop are given to what it runs.
    const piped = this.isPiped && ({ isPiped: true } as const);
    if (this.dropped) return { text, assignments, words: [], redirections, inputs: [...inputs, ...words], ...piped };
    return { text, assignments, words, redirections, inputs, ...piped };
  }
}

/** Shell keywords, where a command may begin. */
export const KEYWORDS = {
  /** A command begins after these. */
  opening: /^(!|\{|if|then|else|elif|while|until|do)$/,
  /** These end a group. */
  closing: /^(\}|fi|done)$/,
  loop: /^(for|select)$/,
  /** What follows may run more than once. */
  repeating: /^(for|select|while|until|function)$/,
  /** These begin a group, which may be timed. */
  group: /^(if|while|until|for|select|case|function|coproc|repeat|foreach|\[\[)$/,
  /** Only some shells know these, each with a different grammar. */
  foreign: /^(coproc|repeat|foreach|nocorrect)$/,
} as const;

/** A here-document whose text follows on the next lines. */
export interface HereDocument {
  delimiter: string;
  /** Whether the shell expands it, so that it may contain commands. */
  expands: boolean;
  stripsTabs: boolean;
  /** The depth of the list in which it was opened. */
  depth: number;
  part: PartBuilder;
}

/** Returns the text that begins at `from`, null if it has no end, and where the line after it begins. */
export function hereDocumentText(
  source: string,
  from: number,
  { delimiter, stripsTabs }: HereDocument,
): { text: string | null; next: number } {
  for (let start = from; start < source.length;) {
    const found = source.indexOf('\n', start);
    const end = found === -1 ? source.length : found;
    const line = source.slice(start, end);
    const next = Math.min(end + 1, source.length);
    if ((stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter) return { text: source.slice(from, start), next };
    start = next;
  }
  return { text: null, next: source.length };
}

/** Text that a shell without `[[` or `((` would expand, or take for the end of a word. */
const SAYS_MORE = /[$&|;<>\n]/;
/** If a bracket follows a word, or a word follows a bracket, and nothing is quoted, such a shell refuses the whole line. */
const REFUSED = /[\w^.*+?\]/-]\((?!\s*\))|\)\s*[A-Za-z_$*+/%?:^=,-]/;

/** A word followed by another: the beginning of an arithmetic expression, or a command with arguments. */
const BEGINS_WITH_WORDS = /^\s*[^\s()]+\s+\S/;

/**
 * Returns the commands that a shell sees in a test or in arithmetic if it does not know the surrounding syntax; null if there are
 * none, or if it would refuse the line. The first word of a test is the shell's own.
 */
export function otherShellsText(inside: string, of: 'test' | 'arithmetic'): string | null {
  if (!SAYS_MORE.test(inside) && (of === 'test' || !BEGINS_WITH_WORDS.test(inside))) return null;
  const unquoted = inside.replaceAll(/"\$\{?\w+\}?"/g, 'x');
  const isSure = !/["'\\`\n]|\$\(/.test(unquoted);
  return isSure && REFUSED.test(unquoted) ? null : inside;
}
