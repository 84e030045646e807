import type { DrawnPoint } from '../../src/protocol/graphDrawing';

const HEAD = 8;

/** Returns an SVG path through points, with rounded corners. */
export function linePath(points: readonly DrawnPoint[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const last = rest.at(-1);
  const parts = [`M${first.x},${first.y}`];
  let before = first;
  for (const [at, point] of rest.entries()) {
    const after = rest[at + 1];
    if (after) {
      const middle = between(point, after);
      if (at === 0) parts.push(`L${text(between(before, point))}`);
      parts.push(`Q${text(point)} ${text(middle)}`);
    }
    before = point;
  }
  if (last) parts.push(`L${text(last)}`);
  return parts.join('');
}

/** Returns the corners of an arrowhead at the end of such a path. */
export function arrowHead(points: readonly DrawnPoint[]): string {
  const tip = points.at(-1);
  const from = points.at(-2);
  if (!tip || !from) return '';
  const length = Math.hypot(tip.x - from.x, tip.y - from.y) || 1;
  const [dx, dy] = [(tip.x - from.x) / length, (tip.y - from.y) / length];
  const [bx, by] = [tip.x - dx * HEAD, tip.y - dy * HEAD];
  const half = HEAD / 2;
  const corners = [tip, { x: bx - dy * half, y: by + dx * half }, { x: bx + dy * half, y: by - dx * half }];
  return corners.map((corner) => text(corner)).join(' ');
}

function between(one: DrawnPoint, other: DrawnPoint): DrawnPoint {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

function text({ x, y }: DrawnPoint): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
}
