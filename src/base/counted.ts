/** `counted(1, 'token')` is "1 token", `counted(2, 'token')` is "2 tokens". For texts that are not translated. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
