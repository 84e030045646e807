/** What is said of a provider that should have listed its models and did not. */
export function noModels(label: string, why: string): string {
  return `${label} lists no models: ${why}. Check its address and its key.`;
}
