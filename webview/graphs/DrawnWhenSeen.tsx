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

/** A part of a page, drawn anew when it is in view, and otherwise when its turn comes. */
export class DrawnWhenSeen extends Component<DrawnWhenSeenProps> {
  private part: Element | null = null;
  private readonly take: TakeElement = (element) => {
    const { seen } = this.props;
    if (this.part) seen.delete(this.part);
    this.part = element;
    if (element) seen.add(element, () => this.forceUpdate());
  };

  override shouldComponentUpdate({ urgent }: DrawnWhenSeenProps): boolean {
    const { part, props } = this;
    return part === null || urgent !== props.urgent || props.seen.isDue(part);
  }

  override render({ draw }: DrawnWhenSeenProps): ComponentChild {
    return draw(this.take);
  }
}
