/** A question of an agent to the user. */
export interface Question {
  id: string;
  sessionId: string;
  callId: string;
  agent: string;
  question: string;
  kind: QuestionKind;
  /** The options of a choice or checkbox question. */
  options: readonly string[];
  /** The MCP server that asks through the agent; only the user can answer it. */
  server?: string;
}

/** `choice`: one of the options, or free text. `checkbox`: any number of the options. `confirm`: yes or no. `input`: free text. */
export type QuestionKind = 'choice' | 'checkbox' | 'confirm' | 'input';

/** The user's answer, or that nobody is available. `texts` has exactly one element except for a checkbox question. */
export type QuestionAnswer = { kind: 'answered'; texts: readonly string[] } | { kind: 'nobody' };

/** Asks the user. Rejects only with AbortError. */
export interface UserPrompter {
  /** True if nobody can ever answer; agents are then not offered the tools that ask. */
  readonly isNobody?: boolean;
  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
}
