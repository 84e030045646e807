import type { Frame } from 'playwright-core';

/** One rendered entry of the transcript. */
export interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly tool?: string;
  readonly status?: string;
  readonly streaming: boolean;
}

/** Returns the entries of the panel's transcript in order, read in a single step so that they are consistent. */
export async function readEntries(frame: Frame): Promise<Entry[]> {
  return frame.locator('[role=feed] article[data-kind]').evaluateAll((elements: DrawnElement[]) =>
    elements.map((element) => {
      const attribute = (name: string): string | undefined => element.getAttribute(name) ?? undefined;
      const tool = attribute('data-tool');
      const status = attribute('data-status');
      return {
        id: attribute('data-entry-id') ?? '',
        kind: attribute('data-kind') ?? '',
        text: element.innerText.trim(),
        streaming: attribute('data-streaming') === 'true',
        ...(tool !== undefined && { tool }),
        ...(status !== undefined && { status }),
      };
    }),
  );
}

/** The part of a DOM element that is read in the page; the tests are compiled without the DOM types. */
interface DrawnElement {
  readonly innerText: string;
  getAttribute(name: string): string | null;
}
