import { t } from '../../base/l10n';
import type { GraphPreview } from '../../engine';
import type { DrawnWay, GraphShape } from '../../protocol/graphDrawing';

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
