import { join } from 'node:path';
import type { Disposable } from '../../base/disposable';
import { sameJson } from '../../base/sameJson';
import type { GraphPreview } from '../../engine';
import type { GraphDrawing } from '../../protocol/graphDrawing';
import type { PageAction } from '../../protocol/pages';
import type { Host } from '../host';
import { shapeOf } from './graphLabels';
import { graphMermaid } from './graphMermaid';
import { LayoutThread } from './layout/layoutThread';
import { saveGraph } from './saveGraph';

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
