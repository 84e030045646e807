/** The process whose number a command writes into a file, once the number is there. */
export async function processIn(read: () => Promise<string>): Promise<number> {
  for (;;) {
    const text = await read().catch(() => '');
    if (/^\d+\n$/.test(text)) return Number(text);
    await new Promise(setImmediate);
  }
}
