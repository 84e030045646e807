import * as z from '../../base/zod';

/** How long a model may think before it answers, from the least to the most, in the words that vendors share. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export const effortSchema = z.enum(EFFORTS);
export type Effort = z.infer<typeof effortSchema>;

/** The most that a model takes and that is no more than what is wanted; its least, where that is more. */
export function takenEffort(wanted: Effort, taken: readonly Effort[]): Effort | undefined {
  const byRank = EFFORTS.filter((one) => taken.includes(one));
  return byRank.findLast((one) => EFFORTS.indexOf(one) <= EFFORTS.indexOf(wanted)) ?? byRank[0];
}
