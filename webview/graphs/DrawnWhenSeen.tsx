import { Component, type ComponentChild } from 'preact';
import type { SeenFirst } from './seenFirst';

/** Receives the element of a rendered part. */
export type TakeElement = (element: Element | null) => void;

interface DrawnWhenSeenProps {
  seen: SeenFirst;
  /** Changes to it are rendered immediately, even out of view. */
  urgent?: string;
  draw: (take: TakeElement) => ComponentChild;
}

/** A part of a page that is redrawn when its data changes while it is in view, and otherwise when its turn comes. */
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

/** Rows that are rendered, laid out and observed together: doing so individually costs more than it saves. */
const STRETCH = 10;
/** See `SeenFirst`. Each change of a run is drawn within a few frames, before the next arrives. */
export const STRETCHES_AT_A_TIME = { seen: 1, unseen: 1 };

/** Splits consecutive rows into groups. */
export function inStretches<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / STRETCH) }, (_, at) =>
    rows.slice(at * STRETCH, (at + 1) * STRETCH),
  );
}

/** Returns the style that reserves the space of a group before it is laid out. */
export function roomOf(rows: readonly unknown[]): { '--rows': number } {
  return { '--rows': rows.length };
}
