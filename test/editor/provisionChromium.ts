import path from 'node:path';
import { aptInstall } from './aptInstall';
import { presentChromium } from './presentChromium';
import { repoRoot } from './repoRoot';
import { runCommand } from './runCommand';

/**
 * A browser of the Chromium family: one that is here, one that Playwright can fetch, or Debian's package when this is root.
 * Rejects with what to do when there is none. Never within a test, whose time would not be enough for an installation.
 */
export async function provisionChromium(say: (line: string) => void): Promise<string> {
  const found = presentChromium() ?? (await fetchWithPlaywright(say)) ?? (await installWithApt(say));
  if (found !== undefined) return found;
  throw new Error(
    'No Chromium, Chrome or Edge was found, and none could be installed. Install one (on Debian: ' +
      'apt-get install chromium) or set CAIRN_CHROMIUM to its program.',
  );
}

async function fetchWithPlaywright(say: (line: string) => void): Promise<string | undefined> {
  say("No Chromium is installed. Trying Playwright's download (up to 60 s) …");
  const cli = path.join(repoRoot, 'node_modules', 'playwright-core', 'cli.js');
  const result = await runCommand(process.execPath, [cli, 'install', 'chromium'], {
    timeoutMs: 60_000,
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '8000' },
  });
  if (result.code !== 0) say('  not available.');
  return presentChromium();
}

async function installWithApt(say: (line: string) => void): Promise<string | undefined> {
  await aptInstall('chromium', say);
  return presentChromium();
}
