import { findOnPath } from './findOnPath';
import { runCommand } from './runCommand';

/**
 * Installs a Debian package if the process is root and has `apt-get`; otherwise a no-op. Never rejects: callers check for the
 * package again.
 */
export async function aptInstall(name: string, say: (line: string) => void): Promise<void> {
  if (process.getuid?.() !== 0 || findOnPath('apt-get') === undefined) return;
  say(`Installing the Debian package ${name} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update'], { timeoutMs: 180_000, env });
  const result = await runCommand('apt-get', ['install', '-y', '-o', 'DPkg::Lock::Timeout=300', name], {
    timeoutMs: 600_000,
    env,
  });
  if (result.code !== 0) say(`  apt-get failed:\n${result.output.slice(-1500)}`);
}
