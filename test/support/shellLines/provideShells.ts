import { findOnPath } from '../../editor/findOnPath';
import { runCommand } from '../../editor/runCommand';

export const SHELLS = ['bash', 'dash', 'zsh'] as const;

/** Installs missing shells as Debian packages if running as root. Otherwise rejects with instructions. */
export async function provideShells(say: (line: string) => void): Promise<void> {
  const missing = () => SHELLS.filter((name) => findOnPath(name) === undefined);
  if (missing().length > 0 && process.getuid?.() === 0 && findOnPath('apt-get') !== undefined) {
    say(`Installing ${missing().join(' and ')} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await runCommand('apt-get', ['update'], { timeoutMs: 180_000, env });
    const options = ['install', '-y', '-o', 'DPkg::Lock::Timeout=300', ...missing()];
    await runCommand('apt-get', options, { timeoutMs: 300_000, env });
  }
  const still = missing();
  if (still.length === 0) return;
  throw new Error(`${still.join(' and ')} must be installed (on Debian: apt-get install ${still.join(' ')}).`);
}
