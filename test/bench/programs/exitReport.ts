/**
 * Preloaded into a measured program (`node --require`): on exit, writes its peak memory and CPU time to the file that
 * BENCH_EXIT_REPORT names. Measured from inside because the system discards both with the process, and the figures that it keeps
 * for the parent include the parent's own memory at the moment of the fork.
 */
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env['BENCH_EXIT_REPORT'];
  if (file === undefined) return;
  const { user, system } = process.cpuUsage();
  writeFileSync(file, JSON.stringify({ peakKib: peakKib(), cpuMs: (user + system) / 1000 }));
});

function peakKib(): number {
  try {
    const [, peak] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (peak !== undefined) return Number(peak);
  } catch {
    // Only Linux has this file.
  }
  return process.resourceUsage().maxRSS;
}
