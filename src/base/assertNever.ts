/** Makes a switch over a union exhaustive: a new member fails to compile instead of falling through. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
