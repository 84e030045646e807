import { aMoment } from './aMoment';

/** Waits for a command to write a process id to a file, and returns it. */
export async function processIn(read: () => Promise<string>): Promise<number> {
  for (;;) {
    const text = await read().catch(() => '');
    if (/^\d+\n$/.test(text)) return Number(text);
    await aMoment();
  }
}
