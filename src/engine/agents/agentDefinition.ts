/** An agent as written. */
export interface AgentDefinition {
  name: string;
  /** Its own words in the system prompt. */
  prompt: string;
}
