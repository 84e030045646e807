import path from 'node:path';
import { downloadAndUnzipVSCode, SilentReporter } from '@vscode/test-electron';
import { repoRoot } from './repoRoot';

const UPDATES = 'https://update.code.visualstudio.com/api/releases/stable';

/**
 * Returns the program of a desktop VS Code, downloaded by @vscode/test-electron; undefined, after reporting the reason, if there
 * is no display or the download server does not respond within five seconds.
 */
export async function electronEditor(say: (line: string) => void): Promise<string | undefined> {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    say('  (no display for a desktop VS Code: using the editor server instead)');
    return undefined;
  }
  try {
    const answer = await fetch(UPDATES, { signal: AbortSignal.timeout(5000) });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    return await downloadAndUnzipVSCode({
      version: 'stable',
      cachePath: path.join(repoRoot, '.vscode-test'),
      reporter: new SilentReporter(),
      timeout: 30_000,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say(`  (VS Code's download server cannot be reached (${why}): using the editor server instead)`);
    return undefined;
  }
}
