/** One reply of the tour. */
export interface TourStep {
  /** Markdown. */
  text: string;
  calls: readonly TourCall[];
}

export interface TourCall {
  name: string;
  input: Record<string, unknown>;
}
