import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { t } from '../../base/l10n';
import { sameJson } from '../../base/sameJson';
import { safeFileName } from '../../base/shown/safeText';
import { EngineError, type GraphPreview } from '../../engine';
import type { DrawnWay, GraphDrawing, GraphShape } from '../../protocol/graphDrawing';
import type { GraphFormat, GraphProblemView, GraphView } from '../../protocol/graphPage';
import type { PageAction } from '../../protocol/pages';
import type { Host } from '../host';
import { exportFile } from '../pages/pagePanel';
import { graphMermaid } from './graphMermaid';
import { LayoutThread } from './layout/layoutThread';

interface ShownGraph {
  readonly preview: GraphPreview;
  readonly drawing: GraphDrawing;
}

/** A graph with its drawing, which is laid out again only when its shape changes. */
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

  /** Groups that are expanded into their nodes. */
  get opened(): readonly string[] {
    return this.open;
  }

  /** Resolves to false if a newer graph was to be drawn in the meantime. Rejects with EngineError `io` if the layout fails. */
  async draw(preview: GraphPreview): Promise<boolean> {
    const { current } = this;
    const shape = shapeOf(preview);
    const isSame = current && sameJson(shapeOf(current.preview), shape);
    const drawing = isSame ? current.drawing : await this.thread.layout({ shape, opened: this.open });
    if (!drawing) return false;
    this.current = { preview, drawing };
    return true;
  }

  /**
   * Handles the actions that every graph page offers: opening a group, and exporting. `beside` is the file whose folder is
   * suggested for the export.
   */
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

/** Labels for edges that are not simply taken next, so that color alone does not tell them apart. */
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

/** The parts of a graph that determine its drawing, including edge labels. */
function shapeOf({ start, nodes, ways }: GraphPreview): GraphShape {
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

interface SavedGraph {
  readonly format: GraphFormat;
  /** What the page drew; Base64 for an image. */
  readonly data: string;
  readonly name: string;
  /** Absolute path of a file; the export is suggested in its folder. */
  readonly beside: string;
}

/** Asks the user for a location and writes the drawing there. */
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
    throw new EngineError('io', t('The image could not be drawn. Export the graph as SVG instead.'));
  }
  return bytes;
}

/** What the view contains in addition to the graph. */
type BesideGraph = Pick<GraphView, 'opened' | 'problems' | 'current' | 'note' | 'canRun' | 'name' | 'run'>;

export function graphView(shown: ShownGraph | undefined, beside: BesideGraph): GraphView {
  const { preview, drawing } = shown ?? {};
  const nodes = preview?.nodes ?? [];
  return Object.assign(
    {
      page: 'graph' as const,
      start: preview?.start ?? '',
      nodes: nodes.map(({ id, type, description, isMissing }) => ({ id, type, description, isMissing })),
      ways: preview ? shapeOf(preview).ways : [],
      drawing: drawing ?? null,
    },
    beside,
  );
}

/** A file's entries in the Problems view, each with the node it belongs to. */
export function problemsAt(uri: vscode.Uri, preview: GraphPreview | undefined): GraphProblemView[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source, severity }) => source === 'Cairn' && severity <= vscode.DiagnosticSeverity.Warning)
    .map(({ range: { start }, message, severity }) => ({
      node: nodeAtLine(preview, start.line + 1) ?? null,
      line: start.line + 1,
      isError: severity === vscode.DiagnosticSeverity.Error,
      text: message,
    }));
}

/** The node defined at a line, 1-based. */
export function nodeAtLine(preview: GraphPreview | undefined, line: number): string | undefined {
  return preview?.nodes.find((one) => !one.isMissing && one.line <= line && line <= one.lastLine)?.id;
}
