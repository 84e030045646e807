import type { AgentDefinition } from '../../agents/agentDefinition';
import { defaultTools, type ToolEntry } from './defaultTools';
import { type AgentDefaults, AgentSet, type AgentSetParts } from './agentSet';
import type { KnownModels } from './chooseModel';

const DEFAULT_DEPTH = 3;

/** Builds sets of agents with defaults and tools. What has been built is not affected by later changes. */
export class AgentRuntimeBuilder {
  private parts: AgentSetParts = {
    agents: [],
    defaults: {},
    maxTaskDepth: DEFAULT_DEPTH,
    tools: defaultTools(),
    models: null,
    headless: true,
  };

  /** Adds agents. The last of several with the same name wins. */
  catalog(agents: Iterable<AgentDefinition>): this {
    return this.with({ agents: [...this.parts.agents, ...agents] });
  }

  defaults(defaults: AgentDefaults): this {
    return this.with({ defaults: { ...this.parts.defaults, ...defaults } });
  }

  /** How many levels deep agents may start others; 0 for not at all. Default: 3. */
  maxTaskDepth(depth: number): this {
    return this.with({ maxTaskDepth: depth });
  }

  /** Replaces the tools that come with Cairn. */
  tools(tools: readonly ToolEntry[]): this {
    return this.with({ tools: [...tools] });
  }

  /** Sets the known models. Without this, every provider and model counts as known. */
  models(models: KnownModels): this {
    return this.with({ models });
  }

  /** Declares that a user can be asked, so agents that require asking can be called. Default: there is none. */
  interactive(): this {
    return this.with({ headless: false });
  }

  build(): AgentSet {
    return new AgentSet(this.parts);
  }

  private with(changes: Partial<AgentSetParts>): this {
    this.parts = { ...this.parts, ...changes };
    return this;
  }
}
