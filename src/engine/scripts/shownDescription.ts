import { clipEnd } from '../../base/truncate';

const MOST = 4000;
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** What a script says of itself, for models: without characters that nobody sees, and no longer than a description is. */
export function shownDescription(text: string): string {
  return clipEnd(text.replaceAll(UNSEEN, '').trim(), MOST);
}
