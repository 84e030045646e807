import path from 'node:path';
import { aptInstall } from './aptInstall';
import { presentChromium } from './presentChromium';
import { repoRoot } from './repoRoot';
import { runCommand } from './runCommand';

/**
 * Returns a Chromium-based browser: one that is already available, one that Playwright can download, or Debian's package if the
 * process is root. Rejects with instructions if there is none. Never call it within a test, whose timeout is too short for an
 * installation.
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
