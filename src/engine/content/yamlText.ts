/** Formats plain data as YAML, as a user would write it. */
export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import('./yamlLibrary');
  return stringify(value, { lineWidth: 120 });
}
