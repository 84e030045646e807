import type { ToolOutput } from '../toolOutput';

/** A result as JSON: for the model, and for the card as it is. */
export function teamOutput(value: object): ToolOutput {
  const text = JSON.stringify(value, null, 2);
  return { text, detail: { kind: 'text', text } };
}
