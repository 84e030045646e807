import { decodeText, encodeText, type TextFile } from '../../engine';
import { linesOf } from '../editor/linesOf';

/** What a file is at some time: lines of text, bytes that are no text, or nothing because it is not there. */
export class FileContent {
  static readonly absent = new FileContent(null, null);
  /** Null for what is no text. */
  readonly lines: readonly string[] | null;

  private constructor(
    private readonly decoded: TextFile | null,
    private readonly raw: Uint8Array | null,
  ) {
    this.lines = decoded && linesOf(decoded.text);
  }

  /** Null for a file that is not there. */
  static ofBytes(bytes: Uint8Array | null): FileContent {
    return new FileContent(bytes && decodeText(bytes), bytes);
  }

  get exists(): boolean {
    return this.decoded !== null || this.raw !== null;
  }

  get text(): string | null {
    return this.decoded?.text ?? null;
  }

  /** In the encoding that the file has. */
  get bytes(): Uint8Array | null {
    return this.decoded ? encodeText(this.decoded) : this.raw;
  }

  /** The same file with other lines; its encoding and its kind of line ends stay. */
  withLines(lines: readonly string[]): FileContent {
    const { text = '', encoding = 'UTF-8' } = this.decoded ?? {};
    const ending = text.includes('\r\n') ? '\r\n' : '\n';
    return new FileContent({ text: lines.join(ending), encoding }, null);
  }

  /** `lines`: null for a file that is not there. */
  has(lines: readonly string[] | null): boolean {
    if (!lines || !this.lines) return !lines && !this.exists;
    const mine = this.lines;
    return lines.length === mine.length && lines.every((line, index) => line === mine[index]);
  }
}
