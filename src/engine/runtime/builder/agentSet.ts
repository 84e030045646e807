import { nearest } from '../../../base/nearest';
import { EngineError } from '../../engineError';
import { ON_REQUEST } from '../../tools/onRequest/onRequest';
import { keepsItsName, OPENCODE_NAMES } from '../../tools/openCode/openCodeNames';
import type { Effort } from '../../llm/model';
import type { AgentDefinition } from '../../agents/agentDefinition';
import { callableTargets } from '../../agents/callableTargets';
import { isListed, isNamed, mayHave, type ToolEntry, withTraits } from './defaultTools';
import { type ChosenModel, chooseModel, type KnownModels } from './chooseModel';

/** Defaults for agents that do not specify a value themselves. */
export interface AgentDefaults {
  /** `provider:model` or `provider/model`. */
  model?: string;
  temperature?: number;
  topP?: number;
  effort?: Effort;
}

export interface AgentSetParts {
  agents: readonly AgentDefinition[];
  defaults: AgentDefaults;
  /** How many levels deep agents may start others; 0 for not at all. */
  maxTaskDepth: number;
  tools: readonly ToolEntry[];
  models: KnownModels | null;
  headless: boolean;
}

/**
 * An immutable set of agents with their defaults and tools. Answers what each agent may do, without running any. Built by
 * AgentRuntimeBuilder. Methods that take a name throw EngineError `not-found` if there is no such agent.
 */
export class AgentSet {
  private readonly byName: ReadonlyMap<string, AgentDefinition>;

  constructor(private readonly parts: AgentSetParts) {
    const last = new Map(parts.agents.map((agent) => [agent.name, agent]));
    this.byName = new Map([...last].filter(([, { disabled }]) => !disabled));
  }

  /** Sorted by name. The last of several with the same name wins. */
  get agents(): AgentDefinition[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get defaults(): AgentDefaults {
    return this.parts.defaults;
  }

  get maxTaskDepth(): number {
    return this.parts.maxTaskDepth;
  }

  get tools(): readonly ToolEntry[] {
    return this.parts.tools;
  }

  agent(name: string): AgentDefinition {
    const found = this.byName.get(name);
    if (found) return found;
    const meant = nearest(name, [...this.byName.keys()]);
    const hint = meant === undefined ? '' : ` Did you mean “${meant}”?`;
    throw new EngineError('not-found', `There is no agent “${name}”.${hint}`);
  }

  /**
   * Returns the tools an agent is offered, under the names it knows them by. Omits what it denies, and `task` if it has no agent
   * to call. `depth`: how many agents are above it.
   */
  allowedTools(name: string, depth = 0): ToolEntry[] {
    const agent = this.agent(name);
    const targets = this.callableTargets(name);
    const maxDepth = Math.min(this.maxTaskDepth, agent.spawning.maxDepth);
    const place = { targets, isChild: depth > 0, atBottom: depth + 1 > maxDepth };
    const may = mayHave(agent, place);
    const isOffered = (tool: ToolEntry) =>
      isListed(agent.tools, tool) && (!ON_REQUEST.has(tool.name) || isNamed(agent.tools, tool.name));
    const own = this.parts.tools.filter((tool) => may(withTraits(tool)) && isOffered(tool));
    if (agent.toolNames === 'cairn') return own;
    const known = Object.entries(OPENCODE_NAMES).flatMap(([called, ours]) => {
      const tool = own.find((one) => one.name === ours);
      return tool ? [{ ...tool, name: called }] : [];
    });
    return [...known, ...own.filter(keepsItsName)];
  }

  /** Returns the agents it may call, sorted by name. */
  callableTargets(name: string): AgentDefinition[] {
    return callableTargets(this.agent(name), this.agents, { headless: this.parts.headless });
  }

  /** Returns the agent's own model, or else the default. Throws ModelResolutionError; a malformed model never falls back to the default. */
  resolveModel(name: string): ChosenModel {
    const { model: own } = this.agent(name);
    return chooseModel({ agent: name, own, otherwise: this.defaults.model }, this.parts.models);
  }

  /** Returns the agent's sampling settings, with its own taking precedence over the defaults. */
  sampling(name: string): Omit<AgentDefaults, 'model'> {
    const agent = this.agent(name);
    const temperature = agent.temperature ?? this.defaults.temperature;
    const topP = agent.topP ?? this.defaults.topP;
    const effort = agent.effort ?? this.defaults.effort;
    return {
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { topP }),
      ...(effort !== undefined && { effort }),
    };
  }
}
