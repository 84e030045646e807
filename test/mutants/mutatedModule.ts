/** Files to mutate, with the tests that should notice. */
export interface MutatedModule {
  readonly name: string;
  readonly files: readonly string[];
  /** Test files, or folders of them, that cover these files. */
  readonly tests: readonly string[];
  /** Whether the files belong to the panel, which the tests open in a browser. */
  readonly inPanel?: boolean;
}
