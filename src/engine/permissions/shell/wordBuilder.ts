import type { ShellWord } from './shellPart';

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
    const slash = text.lastIndexOf('/');
    if (slash !== -1) this.isDotted = text.charAt(slash + 1) === '.';
    else if (this.last === '' || this.last === '/') this.isDotted = text.startsWith('.');
    if (this.head.length < MOST_HEAD) this.head += text.slice(0, MOST_HEAD);
    this.last = text.slice(-1);
    this.text += text;
  }
}
