declare global {
  var testEndings: Set<() => Promise<void>> | undefined;
}

/**
 * Runs work after a process's last test file, such as closing a browser that files share. Stored globally, because the files and
 * their runner are bundled separately.
 */
export const atEnd = {
  add(ending: () => Promise<void>): void {
    (globalThis.testEndings ??= new Set()).add(ending);
  },
  async run(): Promise<void> {
    for (const ending of globalThis.testEndings ?? []) await ending();
  },
};
