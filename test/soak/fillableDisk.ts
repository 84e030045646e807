import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Enough for the sessions, but small enough to fill up in a moment. */
const SIZE = '64m';
/** The file size limit in blocks of 512 bytes where no disk can be mounted. A run's next write exceeds it. */
const LIMIT_BLOCKS = 64;

/** A folder on a disk that can be filled. */
export interface FillableDisk {
  folder: string;
  /** A description for the report. */
  how: string;
  fill: () => Promise<void>;
  free: () => Promise<void>;
  /** A line of sh to run before some of the commands; null if the disk itself is filled. */
  limit: string | null;
  dispose: () => Promise<void>;
}

/** A small in-memory disk where one can be mounted. Otherwise, commands may write only small files now and then. */
export async function fillableDisk(folder: string): Promise<FillableDisk> {
  await mkdir(folder);
  const nothing = () => Promise.resolve();
  const mounted = mount(folder);
  if (!mounted) {
    const how = `no disk could be mounted; some commands may write no file above ${LIMIT_BLOCKS / 2} KiB (ulimit -f)`;
    return { folder, how, fill: nothing, free: nothing, limit: `ulimit -f ${LIMIT_BLOCKS}`, dispose: nothing };
  }
  const filler = path.join(folder, 'filler');
  return {
    folder,
    how: `a disk of ${SIZE} in memory (tmpfs), filled to the last byte`,
    fill: async () => {
      // Takes all the space there is, then fails.
      await writeFile(filler, Buffer.alloc(Number.parseInt(SIZE, 10) * 1024 * 1024)).catch(() => undefined);
    },
    free: () => rm(filler, { force: true }),
    limit: null,
    dispose: () => {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      return Promise.resolve();
    },
  };
}

function mount(folder: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
