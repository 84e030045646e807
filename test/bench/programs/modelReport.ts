/** What the instant model recorded about one run. */
export interface ModelReport {
  requests: number;
  /** Answers without a call. */
  finals: number;
  /** Calls whose result does not prove that the tool did its work. */
  failedCalls: number;
  /** Sizes of the first and the last request, and of all requests together. */
  firstBytes: number;
  lastBytes: number;
  allBytes: number;
}
