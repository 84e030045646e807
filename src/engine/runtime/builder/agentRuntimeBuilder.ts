import type { AgentDefinition } from '../../agents/agentDefinition';
import { defaultTools, type ToolEntry } from './defaultTools';
import { type AgentDefaults, AgentSet, type AgentSetParts } from './agentSet';
import type { KnownModels } from './chooseModel';

const DEFAULT_DEPTH = 3;

/** Puts agents together with defaults and tools. What it has built does not change with it. */
export class AgentRuntimeBuilder {
  private parts: AgentSetParts = {
    agents: [],
    defaults: {},
    maxTaskDepth: DEFAULT_DEPTH,
    tools: defaultTools(),
    models: null,
    headless: true,
  };

  /** Adds agents; of several with one name the last counts. */
  catalog(agents: Iterable<AgentDefinition>): this {
    return this.with({ agents: [...this.parts.agents, ...agents] });
  }

  defaults(defaults: AgentDefaults): this {
    return this.with({ defaults: { ...this.parts.defaults, ...defaults } });
  }

  /** How deep agents may start others; 0: not at all. Default 3. */
  maxTaskDepth(depth: number): this {
    return this.with({ maxTaskDepth: depth });
  }

  /** Instead of the tools that come with Cairn. */
  tools(tools: readonly ToolEntry[]): this {
    return this.with({ tools: [...tools] });
  }

  /** What is known of models; without it every provider and model counts as known. */
  models(models: KnownModels): this {
    return this.with({ models });
  }

  /** Somebody is there to be asked, so agents that must be asked about can be called. Default: nobody is. */
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
