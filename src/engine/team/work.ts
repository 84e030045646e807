import type { ChildReport } from '../tools/team/teamDesk';

/** What an agent is to work on. */
export interface WorkRequest {
  prompt: string;
  isOwn?: true;
  /** The session in which it was at work on the same before; it goes on there, or has answered already. */
  earlier?: string;
  /** Told the session that it works in, before it does. */
  onSession?: (sessionId: string) => Promise<void>;
}

/** How it ended, and what it used. */
export interface WorkDone {
  report: ChildReport;
  tokens: number;
  costUsd: number;
}
