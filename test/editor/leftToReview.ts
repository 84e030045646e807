import type { Panel } from './panel';
import { until } from './until';

/** Returns the panel's review summaries, earliest turn first, such as "2 files to review +3 −1". */
export async function reviewRows(panel: Panel): Promise<string[]> {
  return (await panel.locate('.review-words')).allInnerTexts();
}

/** Waits until a turn shows this review summary, such as "2 files to review". */
export async function leftToReview(panel: Panel, words: string): Promise<void> {
  await until(words, async () => (await reviewRows(panel)).some((row) => row.includes(words)));
}
