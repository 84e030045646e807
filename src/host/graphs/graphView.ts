import * as vscode from 'vscode';
import type { GraphPreview } from '../../engine';
import type { GraphProblemView, GraphView } from '../../protocol/graphPage';
import { shapeOf, type ShownGraph } from './drawnGraph';

/** What the view contains in addition to the graph. */
export type BesideGraph = Pick<GraphView, 'opened' | 'problems' | 'current' | 'note' | 'canRun' | 'name' | 'run'>;

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
