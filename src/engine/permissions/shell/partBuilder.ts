import type { ShellPart, ShellRedirection, ShellWord } from './shellPart';
import type { WordBuilder } from './wordBuilder';

/** Words after which a command begins. */
const OPENING = /^(!|\{|if|then|else|elif|while|until|do)$/;
/** Words that end a group; only redirections may follow. */
const CLOSING = /^(\}|fi|done|esac)$/;
/** Words that begin what is not taken apart here. */
const UNREAD = /^(for|case|select|function|coproc|\[\[|in)$/;

/** Collects one simple command while it is read. */
export class PartBuilder {
  private start: number | null = null;
  private end = 0;
  private readonly assignments: ShellWord[] = [];
  private readonly words: ShellWord[] = [];
  private readonly redirections: ShellRedirection[] = [];
  private closed = false;

  /** Takes a word in; gives what of it is not understood, or null. */
  add(builder: WordBuilder, start: number, end: number): string | null {
    if (this.closed) return 'words after the end of a group';
    if (this.words.length === 0 && this.assignments.length === 0) {
      if (builder.isPlain(OPENING)) return null;
      if (builder.isPlain(CLOSING)) {
        this.closed = true;
        return null;
      }
      if (builder.isPlain(UNREAD)) return `“${builder.word().text}”`;
    }
    this.touch(start, end);
    if (this.words.length === 0 && builder.isAssignment) this.assignments.push(builder.word());
    else this.words.push(builder.word());
    return null;
  }

  redirect(redirection: ShellRedirection, start: number, end: number): void {
    this.touch(start, end);
    this.redirections.push(redirection);
  }

  /** A here-document or here-string belongs to the text, and nothing else. */
  touch(start: number, end: number): void {
    this.start ??= start;
    this.end = end;
  }

  /** The part, or null when nothing was in it. */
  build(source: string): ShellPart | null {
    if (this.start === null) return null;
    const { assignments, words, redirections } = this;
    return { text: source.slice(this.start, this.end), assignments, words, redirections };
  }
}
