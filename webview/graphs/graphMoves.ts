import type { DrawnBox, GraphDrawing } from '../../src/protocol/graphDrawing';

/** Boxes whose centers are closer than this vertically are in the same row. */
const SAME_ROW = 8;

/**
 * Returns the box that a key leads to: up and down along the lines, left and right within a row, Home and End to the first and
 * last box. Undefined if there is none.
 */
export function boxAfter({ boxes, lines }: GraphDrawing, id: string, key: string): string | undefined {
  const from = boxes.find((box) => box.id === id);
  if (!from) return boxes[0]?.id;
  switch (key) {
    case 'Home':
      return boxes[0]?.id;
    case 'End':
      return boxes.at(-1)?.id;
    case 'ArrowRight':
      return nearestOf(from, boxes, (box) => isInRow(box, from) && box.x > from.x);
    case 'ArrowLeft':
      return nearestOf(from, boxes, (box) => isInRow(box, from) && box.x < from.x);
    case 'ArrowDown': {
      const next = new Set(lines.filter((line) => line.from === id && !line.isBack).map(({ to }) => to));
      const isBelow = (box: DrawnBox) => box.y > from.y + SAME_ROW;
      return nearestOf(from, boxes, (box) => next.has(box.id) && isBelow(box)) ?? nearestOf(from, boxes, isBelow);
    }
    case 'ArrowUp': {
      const before = new Set(lines.filter((line) => line.to === id && !line.isBack).map((line) => line.from));
      const isAbove = (box: DrawnBox) => box.y < from.y - SAME_ROW;
      return nearestOf(from, boxes, (box) => before.has(box.id) && isAbove(box)) ?? nearestOf(from, boxes, isAbove);
    }
    default:
      return undefined;
  }
}

function isInRow(box: DrawnBox, other: DrawnBox): boolean {
  return box.id !== other.id && Math.abs(box.y - other.y) <= SAME_ROW;
}

function nearestOf(from: DrawnBox, boxes: readonly DrawnBox[], fits: (box: DrawnBox) => boolean): string | undefined {
  const distance = (box: DrawnBox) => Math.abs(box.y - from.y) * 2 + Math.abs(box.x - from.x);
  let found: DrawnBox | undefined;
  for (const box of boxes) if (fits(box) && (!found || distance(box) < distance(found))) found = box;
  return found?.id;
}
