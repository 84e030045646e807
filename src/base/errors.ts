/** Returns any thrown value as one readable sentence, without a stack. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return typeof error === 'string' ? error : String(error);
}

/** Makes a switch over a union exhaustive: a new member fails to compile instead of falling through. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
