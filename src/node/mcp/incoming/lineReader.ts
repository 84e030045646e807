/** Splits text that arrives in pieces into lines. It takes linear time, also for a long line in many pieces. */
export class LineReader {
  private pieces: string[] = [];
  private length = 0;
  private endedWithReturn = false;

  /** `max`: the maximum number of characters in a line. */
  constructor(private readonly max: number) {}

  /** Returns the lines that the piece completes, without their line breaks; undefined if a line is too long. */
  read(text: string): string[] | undefined {
    const piece = this.endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.endedWithReturn = text === '' ? this.endedWithReturn : text.endsWith('\r');
    const parts = piece.split(/\r\n?|\n/);
    const last = parts.pop() ?? '';
    const [first, ...more] = parts;
    const lines = first === undefined ? [] : [[...this.pieces, first].join(''), ...more];
    if (first !== undefined) [this.pieces, this.length] = [[], 0];
    this.length += last.length;
    if (last !== '') this.pieces.push(last);
    if (this.length > this.max || lines.some((line) => line.length > this.max)) return undefined;
    return lines;
  }
}
