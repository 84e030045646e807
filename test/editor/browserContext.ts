import type { BrowserContext } from 'playwright-core';
import { sharedBrowser } from './sharedBrowser';

export interface BrowserContextOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Records a trace from the start. */
  readonly trace?: boolean;
}

/** A browser profile of its own in the browser that all tests of this process share. */
export async function browserContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: options.viewport ?? { width: 1400, height: 900 } });
  // Without snapshots of the document at each step, which cost more than the steps: `keepEvidence` takes the last one.
  if (options.trace) await context.tracing.start({ screenshots: true, snapshots: false });
  return context;
}
