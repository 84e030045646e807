/** How a host that speaks Chat Completions differs from the others, as data. */
export interface ChatQuirks {
  /** What the host calls the limit of an answer; OpenAI's newer models take only the longer name, others the shorter. */
  readonly limitField: 'max_completion_tokens' | 'max_tokens';
  /** True where usage in the stream must be asked for; false where asking is refused and usage comes anyway. */
  readonly asksForUsage: boolean;
  /** Ids of calls must be nine letters and digits. */
  readonly shortCallIds: boolean;
  /** The person must not speak right after results of tools. */
  readonly answersResults: boolean;
  /** Thinking goes back, in this field, with the calls that it led to. */
  readonly thinkingField: 'reasoning_content' | null;
  /** Calls carry a proof that goes back with them. */
  readonly signsCalls: boolean;
}

/** What most hosts are like. */
export const USUAL_QUIRKS: ChatQuirks = {
  limitField: 'max_tokens',
  asksForUsage: true,
  shortCallIds: false,
  answersResults: false,
  thinkingField: null,
  signsCalls: false,
};
