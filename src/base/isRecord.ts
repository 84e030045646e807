/** Whether an unknown value has keys. Arrays are records too, with numeric keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
