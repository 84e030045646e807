import { safeLine } from './safeText';

/** A name that is not ours as that of a document, which the editor shows as the title of its tab. */
export function safeFileName(name: string): string {
  return safeLine(name, 100, 'exact').replace(/[\\/]/g, ' ');
}
