/**
 * Loaded before a measured program (`node --require`): when it ends, writes its peak memory and its CPU time into the file
 * that BENCH_EXIT_REPORT names. Asked from inside, because the system forgets both with the process, and what
 * it keeps for the parent counts the parent's own memory at the moment of the fork.
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
    // Only Linux has that file.
  }
  return process.resourceUsage().maxRSS;
}
