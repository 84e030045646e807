import type { Frame } from 'playwright-core';

/** One entry of the transcript, as drawn. */
export interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly tool?: string;
  readonly status?: string;
  readonly streaming: boolean;
}

/** The entries of the panel's transcript, in order, read in one step so that they belong together. */
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

/** The part of a DOM element that is read in the page; the tests are compiled without the DOM. */
interface DrawnElement {
  readonly innerText: string;
  getAttribute(name: string): string | null;
}
