import { dirname, join } from 'node:path';
import type { Disposable } from '../../base/disposable';
import { t } from '../../base/l10n';
import { sameJson } from '../../base/sameJson';
import { safeFileName } from '../../base/shown/safeLabel';
import { EngineError, type GraphPreview } from '../../engine';
import type { DrawnWay, GraphDrawing, GraphShape } from '../../protocol/graphDrawing';
import type { GraphFormat } from '../../protocol/graphPage';
import type { PageAction } from '../../protocol/pages';
import type { Host } from '../host';
import { exportFile } from '../pages/exportFile';
import { graphMermaid } from './graphMermaid';
import { LayoutThread } from './layout/layoutThread';

export interface ShownGraph {
  readonly preview: GraphPreview;
  readonly drawing: GraphDrawing;
}

/** A graph with its drawing, which is laid out anew only when its shape is another. */
export class DrawnGraph implements Disposable {
  private readonly thread: LayoutThread;
  private current: ShownGraph | undefined;
  private open: readonly string[] = [];

  constructor({ extensionUri }: Pick<Host, 'extensionUri'>) {
    this.thread = new LayoutThread(join(extensionUri.fsPath, 'dist', 'graphLayout.js'));
  }

  get shown(): ShownGraph | undefined {
    return this.current;
  }

  /** Groups that are drawn as nodes. */
  get opened(): readonly string[] {
    return this.open;
  }

  /** False when a newer graph was to be drawn meanwhile. Rejects with EngineError `io` when it cannot be laid out. */
  async draw(preview: GraphPreview): Promise<boolean> {
    const { current } = this;
    const shape = shapeOf(preview);
    const isSame = current && sameJson(shapeOf(current.preview), shape);
    const drawing = isSame ? current.drawing : await this.thread.layout({ shape, opened: this.open });
    if (!drawing) return false;
    this.current = { preview, drawing };
    return true;
  }

  /** What a page asks of every graph: to open a group, and to be saved; `beside`: the file next to which that is offered. */
  async act(action: PageAction, file: { name: string; beside: string }): Promise<void> {
    const { current } = this;
    if (!current) return;
    if (action.kind === 'toggle-group') return this.toggleGroup(current, action.group);
    if (action.kind !== 'export-graph') return;
    const { format } = action;
    const { preview } = current;
    const data = format === 'mermaid' ? graphMermaid(shapeOf(preview), preview.nodes) : action.data;
    return saveGraph(Object.assign({ format, data }, file));
  }

  dispose(): void {
    this.thread.dispose();
  }

  private async toggleGroup(current: ShownGraph, group: string): Promise<void> {
    const isOpen = this.open.includes(group);
    this.open = isOpen ? this.open.filter((one) => one !== group) : [...this.open, group];
    const { preview } = current;
    const drawing = await this.thread.layout({ shape: shapeOf(preview), opened: this.open });
    if (drawing && this.current === current) this.current = { preview, drawing };
  }
}

/** What is not told by colours alone: when a way is taken that is not simply the next one. */
const WORDS: Partial<Record<DrawnWay['kind'], string>> = {
  get other() {
    return t('any other answer');
  },
  get fallback() {
    return t('on failure');
  },
  get branch() {
    return t('for each item');
  },
  get script() {
    return t('by its script');
  },
};

/** Of a graph what makes its drawing, with the words at its ways. */
export function shapeOf({ start, nodes, ways }: GraphPreview): GraphShape {
  return {
    start,
    nodes: nodes.map(({ id }) => id),
    ways: ways.map(({ from, to, kind, label = WORDS[kind] }) =>
      Object.assign({ from, to, kind }, label === undefined ? undefined : { label }),
    ),
  };
}

const FILES: Record<GraphFormat, { ending: string; title: string }> = {
  svg: { ending: 'svg', title: 'SVG' },
  png: { ending: 'png', title: 'PNG' },
  mermaid: { ending: 'mmd', title: 'Mermaid' },
};

export interface SavedGraph {
  readonly format: GraphFormat;
  /** What the page drew; of a picture in Base64. */
  readonly data: string;
  readonly name: string;
  /** Absolute: a file beside which it is offered. */
  readonly beside: string;
}

/** Asks the person for a place, and writes the drawing there. */
async function saveGraph({ format, data, name, beside }: SavedGraph): Promise<void> {
  const bytes = bytesOf(format, data);
  const { ending, title } = FILES[format];
  const file = `${safeFileName(name) || 'graph'}.${ending}`;
  await exportFile({ what: t('Graph'), name: file, folder: dirname(beside), filters: { [title]: [ending] }, bytes });
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

function bytesOf(format: GraphFormat, data: string): Uint8Array {
  if (format !== 'png') return new TextEncoder().encode(data);
  const bytes = Buffer.from(data, 'base64');
  if (!bytes.subarray(0, PNG.length).equals(PNG)) {
    throw new EngineError('io', t('The picture could not be drawn. Export the graph as SVG instead.'));
  }
  return bytes;
}
