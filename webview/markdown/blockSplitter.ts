import {
  type BlockStart,
  blockStart,
  closesFence,
  htmlStart,
  indentOf,
  interruptsParagraph,
  isBlank,
  isSetextUnderline,
  makesTable,
  parseFence,
  parseMarker,
} from './blockSyntax';

type BlockKind = Exclude<BlockStart, 'heading' | 'rule'> | 'leaf' | 'table';

/** A part of a Markdown text that renders the same on its own as within the text. */
export interface Block {
  kind: BlockKind;
  /** The whole source; for a fence only the text inside. */
  source: string;
  /** The text after an opening fence: the language. */
  info: string;
  /** True if it continues the list or table before it, which was split because it was long. */
  continues: boolean;
}

/** Lists and tables longer than this are split, so that the open block stays cheap to render. */
const CUT = 2_000;

/**
 * Splits growing Markdown into blocks. Feed text as it arrives; a block is emitted once, when no later text can change it. Only
 * whole lines are examined: the unfinished last line belongs to the open block for display only.
 */
export class BlockSplitter {
  private closed: Block[] = [];
  private tail = '';
  private kind: BlockKind | 'none' = 'none';
  private lines: string[] = [];
  private size = 0;
  private continues = false;
  private fence = { indent: 0, mark: '', info: '' };
  private htmlEnd: RegExp | null = null;
  private list = { content: 0, like: '', fence: '', blank: false };
  private tableHead: [string, string] = ['', ''];

  feed(text: string): void {
    const lines = (this.tail + text).split('\n');
    this.tail = lines.pop() ?? '';
    for (const line of lines) this.line(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  /** Closes the open block, as there is no more text. */
  end(): void {
    const { tail } = this;
    this.tail = '';
    if (tail !== '') this.line(tail);
    this.close();
  }

  /** Returns the blocks closed since the last call. */
  takeClosed(): Block[] {
    const { closed } = this;
    this.closed = [];
    return closed;
  }

  /** The open block with the unfinished line; null if there is nothing to show. */
  get open(): Block | null {
    if (this.kind === 'none' && this.tail === '') return null;
    if (this.kind !== 'none') return this.block(this.tail === '' ? [] : [this.tail]);
    const fence = parseFence(this.tail);
    if (fence) return { kind: 'fence', source: '', info: fence.info, continues: false };
    return { kind: 'paragraph', source: this.tail, info: '', continues: false };
  }

  private line(line: string): void {
    if (this.kind === 'none') return isBlank(line) ? undefined : this.start(line);
    if (this.kind === 'fence') return this.inFence(line);
    if (this.kind === 'html') return this.inHtml(line);
    if (this.kind === 'list') return this.inList(line);
    if (this.kind === 'indented') return isBlank(line) || indentOf(line) >= 4 ? this.keep(line) : this.restart(line);
    if (isBlank(line)) return this.close();
    if (this.kind === 'quote') return this.inQuote(line);
    if (this.kind === 'table') return this.inTable(line);
    this.inParagraph(line);
  }

  private start(line: string): void {
    const start = blockStart(line);
    if (start === 'heading' || start === 'rule') {
      this.kind = 'leaf';
      this.keep(line);
      return this.close();
    }
    this.kind = start;
    if (start === 'fence') {
      this.fence = parseFence(line) ?? this.fence;
      return;
    }
    if (start === 'list') this.beginItem(line);
    if (start === 'html') return this.beginHtml(line);
    this.keep(line);
  }

  private restart(line: string): void {
    this.close();
    this.start(line);
  }

  private inFence(line: string): void {
    if (closesFence(line, this.fence.mark)) return this.close();
    this.keep(this.unindent(line));
  }

  private unindent(line: string): string {
    return line.slice(Math.min(this.fence.indent, line.search(/[^ ]|$/)));
  }

  private beginHtml(line: string): void {
    this.htmlEnd = htmlStart(line)?.end ?? null;
    this.inHtml(line);
  }

  private inHtml(line: string): void {
    if (this.htmlEnd === null && isBlank(line)) return this.close();
    this.keep(line);
    if (this.htmlEnd?.test(line)) this.close();
  }

  private inParagraph(line: string): void {
    const last = this.lines.at(-1) ?? '';
    if (makesTable(last, line)) return this.beginTable(last, line);
    if (isSetextUnderline(line)) {
      this.keep(line);
      return this.close();
    }
    if (interruptsParagraph(line)) return this.restart(line);
    this.keep(line);
  }

  private inQuote(line: string): void {
    const start = blockStart(line);
    const lazy = start === 'paragraph' && /^ {0,3}>[ \t]*[^\s>#`~]/.test(this.lines.at(-1) ?? '');
    const goesOn = start === 'quote' || lazy || (start === 'paragraph' && !/^ {0,3}>/.test(this.lines.at(-1) ?? ''));
    if (goesOn) this.keep(line);
    else this.restart(line);
  }

  private beginTable(header: string, row: string): void {
    this.lines.pop();
    this.close();
    this.kind = 'table';
    this.tableHead = [header, row];
    this.keep(header);
    this.keep(row);
  }

  private inTable(line: string): void {
    if (interruptsParagraph(line)) return this.restart(line);
    if (this.size > CUT) this.cut('table', this.tableHead);
    this.keep(line);
  }

  private beginItem(line: string): void {
    const marker = parseMarker(line);
    if (marker) this.list = { content: marker.content, like: marker.like, fence: '', blank: false };
    this.list.fence = innerFence(line);
  }

  private inList(line: string): void {
    const { list } = this;
    if (isBlank(line)) {
      // An item that starts with a blank line contains only what follows directly.
      if (this.lines.length === 1 && parseMarker(this.lines[0] ?? '')?.empty) return this.close();
      list.blank = true;
      return this.keep(line);
    }
    if (indentOf(line) >= list.content) return this.inItem(line);
    const marker = blockStart(line) === 'list' ? parseMarker(line) : undefined;
    if (marker?.like === list.like) return this.nextItem(line);
    const lazy = !list.blank && list.fence === '' && !endsItemText(this.lines.at(-1) ?? '');
    if (lazy && blockStart(line) === 'paragraph') return this.keep(line);
    this.restart(line);
  }

  private inItem(line: string): void {
    const { list } = this;
    list.blank = false;
    if (list.fence === '') list.fence = innerFence(line);
    else if (closesFence(line.trim(), list.fence)) list.fence = '';
    this.keep(line);
  }

  private nextItem(line: string): void {
    if (this.size > CUT) this.cut('list', []);
    this.keep(line);
    this.beginItem(line);
  }

  private cut(kind: 'list' | 'table', head: readonly string[]): void {
    this.close();
    this.kind = kind;
    this.continues = true;
    for (const line of head) this.keep(line);
  }

  private keep(line: string): void {
    this.lines.push(line);
    this.size += line.length + 1;
  }

  private close(): void {
    if (this.kind !== 'none' && (this.lines.length > 0 || this.kind === 'fence')) this.closed.push(this.block([]));
    this.kind = 'none';
    this.lines = [];
    this.size = 0;
    this.continues = false;
  }

  private block(more: readonly string[]): Block {
    const kind = this.kind === 'none' ? 'paragraph' : this.kind;
    const lines =
      kind === 'fence' ? [...this.lines, ...more.map((line) => this.unindent(line))] : [...this.lines, ...more];
    return { kind, source: lines.join('\n'), info: kind === 'fence' ? this.fence.info : '', continues: this.continues };
  }
}

/** Returns the mark of a fence opened in this line of a list item, or an empty string. */
function innerFence(line: string): string {
  const inner = line.replace(/^\s*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)*/, '');
  return parseFence(inner)?.mark ?? '';
}

/** Returns true if text below this line of an item cannot continue its paragraph. */
function endsItemText(line: string): boolean {
  const inner = line.trim();
  const start = blockStart(inner === '' ? 'x' : inner);
  return start === 'heading' || start === 'rule' || start === 'fence' || indentOf(line) >= 4;
}
