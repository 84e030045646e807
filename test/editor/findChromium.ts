import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findOnPath } from './findOnPath';
import { repoRoot } from './repoRoot';
import { runCommand } from './runCommand';

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

/**
 * A browser of the Chromium family: CAIRN_CHROMIUM, one that is installed, one that Playwright has or can fetch, or
 * Debian's package when this is root. Rejects with what to do when there is none.
 */
export async function findChromium(say: (line: string) => void): Promise<string> {
  const chosen = process.env['CAIRN_CHROMIUM'];
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new Error(`CAIRN_CHROMIUM names ${chosen}, which does not exist. Correct it or unset it.`);
  }
  const present = installed();
  if (present !== undefined) return present;
  const fetched = (await fetchWithPlaywright(say)) ?? (await installWithApt(say));
  if (fetched !== undefined) return fetched;
  throw new Error(
    'No Chromium, Chrome or Edge was found, and none could be installed. Install one (on Debian: ' +
      'apt-get install chromium) or set CAIRN_CHROMIUM to its program.',
  );
}

function installed(): string | undefined {
  return findOnPath(...NAMES) ?? [...MAC_APPS, playwrightsOwn()].find((file) => file !== '' && existsSync(file));
}

function playwrightsOwn(): string {
  try {
    return chromium.executablePath();
  } catch {
    return ''; // Playwright knows no browser for this platform.
  }
}

async function fetchWithPlaywright(say: (line: string) => void): Promise<string | undefined> {
  say("No Chromium is installed. Trying Playwright's download (up to 60 s) …");
  const cli = path.join(repoRoot, 'node_modules', 'playwright-core', 'cli.js');
  const result = await runCommand(process.execPath, [cli, 'install', 'chromium'], {
    timeoutMs: 60_000,
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '8000' },
  });
  const file = playwrightsOwn();
  if (result.code === 0 && existsSync(file)) return file;
  say('  not available.');
  return undefined;
}

async function installWithApt(say: (line: string) => void): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || findOnPath('apt-get') === undefined) return undefined;
  say('Installing the Debian package chromium (about 30 s) …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update'], { timeoutMs: 180_000, env });
  const result = await runCommand('apt-get', ['install', '-y', '-o', 'DPkg::Lock::Timeout=300', 'chromium'], {
    timeoutMs: 600_000,
    env,
  });
  if (result.code !== 0) say(`  apt-get failed:\n${result.output.slice(-1500)}`);
  return installed();
}
