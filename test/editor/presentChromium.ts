import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { findOnPath } from './findOnPath';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'msedge',
  'chrome',
];
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** Returns a Chromium-based browser that is already available: CAIRN_CHROMIUM, an installed one, or Playwright's. */
export function presentChromium(): string | undefined {
  const chosen = process.env['CAIRN_CHROMIUM'];
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new Error(`CAIRN_CHROMIUM names ${chosen}, which does not exist. Correct it or unset it.`);
  }
  return findOnPath(...NAMES) ?? [...MAC_APPS, playwrightsOwn()].find((file) => file !== '' && existsSync(file));
}

function playwrightsOwn(): string {
  try {
    return chromium.executablePath();
  } catch {
    return ''; // Playwright has no browser for this platform.
  }
}
