import type { GraphPreview } from '../../engine';
import type { DrawnWay, GraphShape } from '../../protocol/graphDrawing';

/** What is not told by colours alone: when a way is taken that is not simply the next one. */
const WORDS: Partial<Record<DrawnWay['kind'], string>> = {
  other: 'any other answer',
  fallback: 'on failure',
  branch: 'for each item',
  script: 'by its script',
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
