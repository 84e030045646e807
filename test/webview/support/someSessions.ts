import type { SessionSummary } from '../../../src/protocol/hostApi';

const DAY = 86_400_000;

/** A session last changed this many days ago. */
export function sessionSummary(
  sessionId: string,
  title: string,
  daysAgo: number,
  parts: Partial<SessionSummary> = {},
): SessionSummary {
  const noon = new Date().setHours(12, 0, 0, 0);
  return {
    sessionId,
    title,
    modifiedAt: noon - daysAgo * DAY,
    running: false,
    waiting: false,
    opening: title,
    activity: null,
    costUsd: 0,
    files: 0,
    isFavorite: false,
    agent: null,
    children: [],
    ...parts,
  };
}

/** Sessions from today, yesterday, and long ago; one of them is running. */
export const someSessions = (): SessionSummary[] => [
  sessionSummary('session', 'Fix the date parser', 0, { files: 2, costUsd: 0.124 }),
  sessionSummary('two', 'Explain the build', 0, { running: true, activity: 'Running npm test', costUsd: 0.03 }),
  sessionSummary('three', 'Tidy the readme', 1, { opening: 'Tidy the readme\nand mention the sundial' }),
  sessionSummary('four', 'An old one', 40),
  sessionSummary('five', 'Kept for later', 3, { isFavorite: true, files: 1 }),
];
