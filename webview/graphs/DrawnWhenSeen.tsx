import { Component, type ComponentChild } from 'preact';
import type { SeenFirst } from './seenFirst';

/** Takes the element that something is drawn as. */
export type TakeElement = (element: Element | null) => void;

interface DrawnWhenSeenProps {
  seen: SeenFirst;
  /** A change of it is drawn at once, wherever the part is. */
  urgent?: string;
  draw: (take: TakeElement) => ComponentChild;
}

/** A part of a page, drawn anew when it is in view and what it shows changes, and otherwise when its turn comes. */
export class DrawnWhenSeen extends Component<DrawnWhenSeenProps> {
  private part: Element | null = null;
  private readonly take: TakeElement = (element) => {
    const { seen } = this.props;
    if (this.part) seen.delete(this.part);
    this.part = element;
    if (element) seen.add(element, () => this.forceUpdate());
  };

  override shouldComponentUpdate({ urgent }: DrawnWhenSeenProps): boolean {
    return urgent !== this.props.urgent;
  }

  override render({ draw }: DrawnWhenSeenProps): ComponentChild {
    return draw(this.take);
  }
}

/** So many rows are drawn, laid out and looked at together: each for itself costs more than it saves. */
const STRETCH = 10;

/** Rows that stand one below the other, a stretch at a time. */
export function inStretches<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / STRETCH) }, (_, at) =>
    rows.slice(at * STRETCH, (at + 1) * STRETCH),
  );
}

/** The style of a stretch by which it takes its room before it is laid out. */
export function roomOf(rows: readonly unknown[]): { '--rows': number } {
  return { '--rows': rows.length };
}
