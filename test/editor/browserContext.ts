import type { BrowserContext } from 'playwright-core';
import { sharedBrowser } from './sharedBrowser';
import { usualViewport } from './usualViewport';

export interface BrowserContextOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Records a trace from the start. */
  readonly trace?: boolean;
}

/** A browser profile of its own in the browser that all tests of this process share. */
export async function browserContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: options.viewport ?? usualViewport });
  // Without pictures of each frame and each step's document, which cost more than the steps: `keepEvidence` takes the last ones.
  if (options.trace) await context.tracing.start({ screenshots: false, snapshots: false });
  return context;
}
