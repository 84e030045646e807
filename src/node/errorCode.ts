/** The code of a Node error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  const coded = typeof error === 'object' && error !== null && 'code' in error;
  return coded && typeof error.code === 'string' ? error.code : undefined;
}
