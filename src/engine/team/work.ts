import type { MadeCall } from './callWatch';

/** What an agent is to work on. */
export interface WorkRequest {
  prompt: string;
  isOwn?: true;
  /** The session in which it was at work on the same before; it goes on there, or has answered already. */
  earlier?: string;
  /** Told the session that it works in, before it does. */
  onSession?: (sessionId: string) => Promise<void>;
  /** Told what each request used, of it and of those that it starts. */
  onUsed?: (used: { tokens: number; costUsd: number }) => void;
  /** Told each call that it made. */
  onCalled?: (call: MadeCall) => void;
  /** Told when it, or one that it starts, begins to wait for a person, and when none of them does any more. */
  onAsking?: (isAsking: boolean) => void;
}
