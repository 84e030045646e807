import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** One living process. */
export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
}

/** Every process of a POSIX machine that is alive; those that ended and only wait to be noticed are left out. */
export function processTable(platform: NodeJS.Platform = process.platform): Promise<ProcessRow[]> {
  return platform === 'linux' ? fromProc() : fromPs();
}

async function fromProc(): Promise<ProcessRow[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(names.map(readStat));
  return rows.filter((row) => row !== null);
}

/** A process may end while the table is read. */
async function readStat(pid: string): Promise<ProcessRow | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name comes in parentheses and may hold anything, also spaces and parentheses.
    const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 'ZX'.includes(state) ? null : { pid: Number(pid), parent: Number(parent), group: Number(group) };
  } catch {
    return null;
  }
}

function fromPs(): Promise<ProcessRow[]> {
  return new Promise((resolve) => {
    // Without ps the table is empty; the process group is then all that is known of a tree.
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], (_error, stdout) => {
      const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
      const living = rows.filter(([pid, , , state]) => Boolean(pid) && !state?.startsWith('Z'));
      resolve(
        living.map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) })),
      );
    });
  });
}
