/**
 * How one node leads to another: `next`, and the answers of an approval (`route`, `other`); `fallback` after a failure; `branch`
 * from a map to what it runs for each item; `script` for a target that a script determines at run time.
 */
type WayKind = 'next' | 'route' | 'other' | 'fallback' | 'branch' | 'script';

export interface DrawnWay {
  readonly from: string;
  readonly to: string;
  readonly kind: WayKind;
  /** For an approval: the answer. */
  readonly label?: string;
}

/** Everything that determines a graph's layout, and nothing else: the same shape has the same drawing. */
export interface GraphShape {
  /** The start node; may be unknown. */
  readonly start: string;
  /** Node ids, in file order. */
  readonly nodes: readonly string[];
  /** Ways to or from unknown nodes are ignored. */
  readonly ways: readonly DrawnWay[];
}

export interface DrawnPoint {
  readonly x: number;
  readonly y: number;
}

/** A node, or several drawn as one; x and y are its center. */
export interface DrawnBox extends DrawnPoint {
  /** The node's id; for a group, that of its first node. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Ids of the group's nodes, in order; null for a single node. */
  readonly members: readonly string[] | null;
}

export interface DrawnLine extends DrawnWay {
  /** `from` and `to` are ids of boxes. Number of ways drawn as this line, for groups. */
  readonly count: number;
  /** Leads back to an earlier node, forming a loop. */
  readonly isBack: boolean;
  /** From the edge of one box to the edge of the other. */
  readonly points: readonly DrawnPoint[];
  /** The center of the label. */
  readonly labelAt?: DrawnPoint;
}

/** The layout of a graph, relative to its top left corner. */
export interface GraphDrawing {
  readonly width: number;
  readonly height: number;
  /** From top to bottom, and from left to right within a row. */
  readonly boxes: readonly DrawnBox[];
  readonly lines: readonly DrawnLine[];
}

/** Larger graphs are drawn with nodes of the same and adjacent rows grouped. */
export const MOST_BOXES = 150;
