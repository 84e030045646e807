/** What an agent wants to know from a person. */
export interface Question {
  id: string;
  sessionId: string;
  callId: string;
  agent: string;
  question: string;
  kind: QuestionKind;
  /** Offered answers of a choice or checkbox question. */
  options: readonly string[];
  /** The MCP server that asks by way of the agent; only a person answers it. */
  server?: string;
}

/**
 * `choice`: one of the options, or a free answer. `checkbox`: any number of the options. `confirm`: yes or no. `input`: a
 * free answer.
 */
export type QuestionKind = 'choice' | 'checkbox' | 'confirm' | 'input';

/** What the person said, or that nobody is there to be asked. `texts` has one element but for a checkbox question. */
export type QuestionAnswer = { kind: 'answered'; texts: readonly string[] } | { kind: 'nobody' };

/** Asks a person. Rejects only with AbortError. */
export interface UserPrompter {
  /** True where nobody can ever answer; then agents are not offered the tools that ask. */
  readonly isNobody?: boolean;
  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
}
