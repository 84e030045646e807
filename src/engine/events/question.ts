/** What an agent wants to know from a person. */
export interface Question {
  id: string;
  sessionId: string;
  callId: string;
  agent: string;
  question: string;
  /** Offered answers; a free one is possible as well. */
  options: readonly string[];
}

/** What the person said, or that nobody is there to be asked. */
export type QuestionAnswer = { kind: 'answered'; text: string } | { kind: 'nobody' };
