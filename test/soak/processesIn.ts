import { readdir, readFile, readlink } from 'node:fs/promises';

/** The command lines of the processes that work in a folder or below it. Empty where the system does not tell. */
export async function processesIn(folder: string): Promise<string[]> {
  const names = await readdir('/proc').catch(() => []);
  const lines = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((pid) => lineIn(pid, folder)));
  return lines.flatMap((line) => line ?? []);
}

/** Undefined for one that works elsewhere, or is gone by now. */
async function lineIn(pid: string, folder: string): Promise<string | undefined> {
  try {
    const at = await readlink(`/proc/${pid}/cwd`);
    if (at !== folder && !at.startsWith(`${folder}/`)) return undefined;
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}
