import { secretForms } from './secretForms';
import { SecretScan } from './secretScan';

/** What strikes these values out of a text, however they are written there. */
export function strikeOf(values: readonly string[]): (text: string) => string {
  if (values.length === 0) return (text) => text;
  const scan = new SecretScan(values.flatMap(secretForms));
  return (text) => scan.scan(text, false).struck;
}
