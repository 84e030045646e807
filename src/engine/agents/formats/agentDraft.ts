import type { ContentProblem } from '../../content/contentProblem';
import type { AgentDefinition } from '../agentDefinition';

/** What a format makes of a file: an agent, or why there is none; warnings come with an agent too. */
export interface AgentDraft {
  agent: AgentDefinition | undefined;
  problems: ContentProblem[];
}

/** The file of an agent as a format gets it. */
export interface AgentFile {
  text: string;
  source: AgentDefinition['source'];
  /** From its path; a `name` in the file counts more. */
  name: string;
}
