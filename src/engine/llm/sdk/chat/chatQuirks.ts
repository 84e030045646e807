/** How a host's Chat Completions API differs from the usual, as data. */
export interface ChatQuirks {
  /** The host's name for the output limit. OpenAI's newer models accept only the longer name, other hosts the shorter. */
  readonly limitField: 'max_completion_tokens' | 'max_tokens';
  /** True if usage must be requested in the stream; false if the host rejects the request option and sends usage anyway. */
  readonly asksForUsage: boolean;
  /** Call IDs must be nine letters and digits. */
  readonly shortCallIds: boolean;
  /** A user message must not directly follow tool results. */
  readonly answersResults: boolean;
  /** The field in which thinking is sent back with the calls it led to. */
  readonly thinkingField: 'reasoning_content' | null;
  /** Calls carry a signature that must be sent back with them. */
  readonly signsCalls: boolean;
}

/** The behavior of most hosts. */
export const USUAL_QUIRKS: ChatQuirks = {
  limitField: 'max_tokens',
  asksForUsage: true,
  shortCallIds: false,
  answersResults: false,
  thinkingField: null,
  signsCalls: false,
};
