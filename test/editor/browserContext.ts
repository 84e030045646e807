import type { BrowserContext } from 'playwright-core';
import { sharedBrowser } from './sharedBrowser';
import { usualViewport } from './usualViewport';

export interface BrowserContextOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Records a trace from the start. */
  readonly trace?: boolean;
}

/** Creates a browser profile in the browser that all tests of this process share. */
export async function browserContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: options.viewport ?? usualViewport });
  // No screenshot of each frame or snapshot of each step, which cost more than the steps themselves: `keepEvidence` captures the
  // final ones.
  if (options.trace) await context.tracing.start({ screenshots: false, snapshots: false });
  return context;
}
