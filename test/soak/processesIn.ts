import { readdir, readFile, readlink } from 'node:fs/promises';

/** The command lines of processes whose working directory is in a folder. Empty if the system does not provide them. */
export async function processesIn(folder: string): Promise<string[]> {
  const names = await readdir('/proc').catch(() => []);
  const lines = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((pid) => lineIn(pid, folder)));
  return lines.flatMap((line) => line ?? []);
}

/** Undefined if the process works elsewhere or is gone. */
async function lineIn(pid: string, folder: string): Promise<string | undefined> {
  try {
    const at = await readlink(`/proc/${pid}/cwd`);
    if (at !== folder && !at.startsWith(`${folder}/`)) return undefined;
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}
