/** Whether a value of unknown kind has keys. Lists are records too, whose keys are numbers. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
