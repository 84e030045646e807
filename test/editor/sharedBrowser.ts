import { type Browser, chromium } from 'playwright-core';
import { provisionChromium } from './provisionChromium';

let launched: Promise<Browser> | undefined;

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the headless browser that all tests of this process share. It is closed with the process or by `closeSharedBrowser`. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= provisionChromium(console.log).then((executablePath) =>
    chromium.launch({ executablePath, args: QUIET }),
  );
  return launched;
}

export async function closeSharedBrowser(): Promise<void> {
  const browser = await launched;
  launched = undefined;
  await browser?.close();
}
