import { safeText } from './safeText';

/** What the next piece decides: half a character, a return that may belong to a line end, what joins two characters. */
const UNDECIDED = /(?:\r|(?:[\u200c\u200d\ufe0e\ufe0f]|\udb40[\udd00-\uddef])?[\ud800-\udbff]?)$/;
/** The last characters, which say what a joiner after them is for. */
const BEFORE = /[^\p{Cc}\p{Cs}\u200c\u200d]{1,9}$/u;

/** As `safeText` for prose that comes in pieces, wherever they are cut: ordinary text goes through at once and as it is. */
export class SafeStream {
  private before = '';
  private held = '';

  push(text: string): string {
    const all = this.held + text;
    const undecided = UNDECIDED.exec(all)?.index ?? all.length;
    this.held = all.slice(undecided);
    return this.release(all.slice(0, undecided));
  }

  /** What was held back, when nothing follows. */
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
    // Only what is shown as it is can be put before the next piece and taken off again.
    this.before = safeText(whole) === whole ? whole : '';
    return shown;
  }
}
