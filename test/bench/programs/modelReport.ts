/** What the instant model saw of one run. */
export interface ModelReport {
  requests: number;
  /** Answers without a call. */
  finals: number;
  /** Calls whose result does not show that the tool did its work. */
  failedCalls: number;
  /** Size of the first and of the last request, and of all together. */
  firstBytes: number;
  lastBytes: number;
  allBytes: number;
}
