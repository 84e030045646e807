import { clipEnd } from '../../base/truncate';

const MOST = 4000;
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** Returns a script's description for models, without invisible characters and truncated to the maximum length. */
export function shownDescription(text: string): string {
  return clipEnd(text.replaceAll(UNSEEN, '').trim(), MOST);
}
