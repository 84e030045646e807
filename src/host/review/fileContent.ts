import { decodeText, encodeText, type TextFile } from '../../engine';
import { linesOf } from '../editor/linesOf';

/** Encoding and line endings of a text file. */
export interface TextForm {
  encoding: TextFile['encoding'];
  ending: '\n' | '\r\n';
}

/** A file's content at some point: lines of text, binary data, or absent. */
export class FileContent {
  static readonly absent = new FileContent(null, null, null);

  /**
   * @param lines null if the content is not text.
   * @param form null if the line endings are mixed, or if the content is not text.
   * @param raw null if the file is absent or the content is built from lines.
   */
  private constructor(
    readonly lines: readonly string[] | null,
    readonly form: TextForm | null,
    private readonly raw: TextFile | Uint8Array | null,
  ) {}

  /** `bytes` is null for a file that does not exist. */
  static ofBytes(bytes: Uint8Array | null): FileContent {
    const decoded = bytes && decodeText(bytes);
    if (!decoded) return bytes ? new FileContent(null, null, bytes) : FileContent.absent;
    const { text, encoding } = decoded;
    const lines = linesOf(text);
    const form = { encoding, ending: endingOf(text) };
    return lines.join(form.ending) === text ? FileContent.ofLines(lines, form) : new FileContent(lines, null, decoded);
  }

  static ofLines(lines: readonly string[], form: TextForm): FileContent {
    return new FileContent(lines, form, null);
  }

  get exists(): boolean {
    return this.lines !== null || this.raw !== null;
  }

  get text(): string | null {
    if (this.lines && this.form) return this.lines.join(this.form.ending);
    return this.raw && 'text' in this.raw ? this.raw.text : null;
  }

  /** In the file's encoding. */
  get bytes(): Uint8Array | null {
    if (this.lines && this.form) return encodeText({ text: this.lines.join(this.form.ending), ...this.form });
    return this.raw && ('text' in this.raw ? encodeText(this.raw) : this.raw);
  }

  /** The same file with other lines. Keeps its encoding and kind of line ending. */
  withLines(lines: readonly string[]): FileContent {
    return FileContent.ofLines(lines, this.form ?? formOf(this.raw));
  }

  /** The same content with the given, equal lines, so that the many versions of a file share them. */
  sharing(lines: readonly string[]): FileContent {
    return new FileContent(lines, this.form, this.raw);
  }

  /** `lines` is null for a file that does not exist. */
  has(lines: readonly string[] | null): boolean {
    if (!lines || !this.lines) return !lines && !this.exists;
    const mine = this.lines;
    if (lines === mine) return true;
    return lines.length === mine.length && lines.every((line, index) => line === mine[index]);
  }
}

function formOf(raw: TextFile | Uint8Array | null): TextForm {
  if (!raw || !('text' in raw)) return { encoding: 'UTF-8', ending: '\n' };
  return { encoding: raw.encoding, ending: endingOf(raw.text) };
}

function endingOf(text: string): TextForm['ending'] {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
