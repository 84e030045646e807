/**
 * How one node leads to another: `next` and the answers of an approval (`route`, `other`); `fallback` after a failure; `branch`
 * from a map to what it runs for each item; `script` where a script says so while it runs.
 */
export type WayKind = 'next' | 'route' | 'other' | 'fallback' | 'branch' | 'script';

export interface DrawnWay {
  readonly from: string;
  readonly to: string;
  readonly kind: WayKind;
  /** Of an approval: the answer. */
  readonly label?: string;
}

/** What of a graph makes how it is laid out, and nothing else: while it is the same, the drawing is. */
export interface GraphShape {
  /** Where it begins; may name no node. */
  readonly start: string;
  /** Ids, in the order of the file. */
  readonly nodes: readonly string[];
  /** What names a node that is not among them is left out. */
  readonly ways: readonly DrawnWay[];
}

export interface DrawnPoint {
  readonly x: number;
  readonly y: number;
}

/** A node, or several that are drawn as one; x and y are those of its middle. */
export interface DrawnBox extends DrawnPoint {
  /** Of the node; of a group that of its first node. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** The ids in a group, in their order; null: it is a single node. */
  readonly members: readonly string[] | null;
}

export interface DrawnLine extends DrawnWay {
  /** By the ids of boxes. Of groups so many ways are drawn as one. */
  readonly count: number;
  /** It leads back to where a run has been, so it makes a loop. */
  readonly isBack: boolean;
  /** From the edge of one box to that of the other. */
  readonly points: readonly DrawnPoint[];
  /** The middle of the label. */
  readonly labelAt?: DrawnPoint;
}

/** A graph laid out, from its upper left corner. */
export interface GraphDrawing {
  readonly width: number;
  readonly height: number;
  /** From top to bottom, and in a row from left to right. */
  readonly boxes: readonly DrawnBox[];
  readonly lines: readonly DrawnLine[];
}

/** Above so many nodes, those of the same and of neighbouring rows are drawn as groups. */
export const MOST_BOXES = 150;
