declare global {
  var testEndings: Set<() => Promise<void>> | undefined;
}

/**
 * What is done when a process has run its last test file, such as closing a browser that files use one after the other. Kept
 * with the process itself, since the files and what runs them are bundled apart.
 */
export const atEnd = {
  add(ending: () => Promise<void>): void {
    (globalThis.testEndings ??= new Set()).add(ending);
  },
  async run(): Promise<void> {
    for (const ending of globalThis.testEndings ?? []) await ending();
  },
};
