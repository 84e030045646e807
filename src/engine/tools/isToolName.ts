/** Whether somebody may bring a tool of this name. */
export function isToolName(name: string): boolean {
  return /^[A-Za-z][\w-]{0,63}$/.test(name);
}
