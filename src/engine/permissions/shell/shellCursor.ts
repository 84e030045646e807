/** A place in a shell line, and what was found on the way there that is not understood. */
export class ShellCursor {
  protected at = 0;
  protected unclear: string | null = null;
  protected unread: string | null = null;

  constructor(protected readonly source: string) {}

  /** Read well enough to know what may run, though not enough to allow it. */
  protected doubt(what: string): void {
    this.unclear ??= what;
  }

  /** What follows may be something else than it seems. */
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

  /** Length of the brackets that make a function of the word before them, or 0. */
  protected emptyBrackets(): number {
    return /^\([ \t]*\)/.exec(this.source.slice(this.at, this.at + 20))?.[0].length ?? 0;
  }
}
