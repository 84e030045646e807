import { safeText } from './safeText';

/** An end that only the next chunk decides: half a surrogate pair, a CR that may belong to a line end, a joiner of two characters. */
const UNDECIDED = /(?:\r|(?:[\u200c\u200d\ufe0e\ufe0f]|\udb40[\udd00-\uddef])?[\ud800-\udbff]?)$/;
/** The last characters, which determine what a joiner after them is for. */
const BEFORE = /[^\p{Cc}\p{Cs}\u200c\u200d]{1,9}$/u;

/** `safeText` for prose that arrives in chunks, wherever they are cut. Ordinary text passes through immediately and unchanged. */
export class SafeStream {
  private before = '';
  private held = '';

  push(text: string): string {
    const all = this.held + text;
    const undecided = UNDECIDED.exec(all)?.index ?? all.length;
    this.held = all.slice(undecided);
    return this.release(all.slice(0, undecided));
  }

  /** Returns what was held back, once nothing follows. */
  end(): string {
    const text = this.release(this.held);
    this.held = '';
    this.before = '';
    return text;
  }

  private release(text: string): string {
    if (text === '') return '';
    const shown = safeText(this.before + text).slice(this.before.length);
    const whole = BEFORE.exec(this.before + text)?.[0] ?? '';
    // Only text that is shown unchanged can be put before the next chunk and sliced off again.
    this.before = safeText(whole) === whole ? whole : '';
    return shown;
  }
}
