import { safeText } from '../../base/shown/safeText';

/** A message of several lines begins only one of them as ours do, so that none in it can pass for another. */
export function safeNote(message: string): string {
  return safeText(message).replace(/\n(?!$)/g, '\n  ');
}
