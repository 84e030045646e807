import { secretForms } from './secretForms';
import { SecretScan } from './secretScan';

/** Returns a function that redacts these values in a text, in any form they may be written. */
export function strikeOf(values: readonly string[]): (text: string) => string {
  if (values.length === 0) return (text) => text;
  const scan = new SecretScan(values.flatMap(secretForms));
  return (text) => scan.scan(text, false).struck;
}
