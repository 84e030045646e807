import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Room for the sessions, so little that it can be used up in a moment. */
const SIZE = '64m';
/** Of a file, in blocks of 512 bytes, where no disk can be made: what a run writes next does not fit any more. */
const LIMIT_BLOCKS = 64;

/** A folder whose disk can be filled. */
export interface FillableDisk {
  folder: string;
  /** For the report. */
  how: string;
  fill: () => Promise<void>;
  free: () => Promise<void>;
  /** A line of sh that comes before some of the commands; null where the disk itself is filled. */
  limit: string | null;
  dispose: () => Promise<void>;
}

/** A small disk in memory where one can be mounted; else commands may now and then write only small files. */
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
      // It takes what there is, and then fails.
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
