import { safeLine } from '../../base/shown/safeText';
import type { GraphShape } from '../../protocol/graphDrawing';
import type { GraphNodeView } from '../../protocol/graphPage';

/** Longer labels would make the drawing unreadable. */
const LONGEST = 120;

/** Returns a graph as a Mermaid flowchart. Names are escaped, so they are always shown as text. */
export function graphMermaid({ nodes, ways }: GraphShape, views: readonly GraphNodeView[]): string {
  const typeOf = new Map(views.map(({ id, type }) => [id, type] as const));
  const keys = new Map(nodes.map((id, at) => [id, `n${at}`] as const));
  const boxes = [...keys].map(([id, key]) => `  ${key}${boxed(asText(id), typeOf.get(id) ?? '')}`);
  const arrows = ways.flatMap(({ from, to, kind, label }) => {
    const [start, end] = [keys.get(from), keys.get(to)];
    if (start === undefined || end === undefined) return [];
    const arrow = kind === 'fallback' || kind === 'branch' || kind === 'script' ? '-.->' : '-->';
    return [`  ${start} ${arrow}${label === undefined ? '' : `|"${asText(label)}"|`} ${end}`];
  });
  return ['flowchart TD', ...boxes, ...arrows, ''].join('\n');
}

/** Nodes that ask the user are diamonds, and ends are rounded. */
function boxed(text: string, type: string): string {
  if (type === 'approval' || type === 'input') return `{"${text}"}`;
  return type === 'end' ? `(["${text}"])` : `["${text}"]`;
}

/** Encodes characters that are special to Mermaid or to the page that renders it as numeric entities. */
function asText(text: string): string {
  // An entity of an invisible character would be rendered as that character.
  const written = safeLine(text, LONGEST, 'exact')
    .toWellFormed()
    .replace(/[^\p{L}\p{N} _.,…-]/gu, (sign) => `#${sign.codePointAt(0) ?? 0};`);
  return written === '' ? '#8201;' : written;
}
