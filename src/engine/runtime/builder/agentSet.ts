import { nearest } from '../../../base/nearest';
import { EngineError } from '../../engineError';
import { ON_REQUEST } from '../../tools/onRequest/onRequest';
import { keepsItsName, OPENCODE_NAMES } from '../../tools/openCode/openCodeNames';
import type { Effort } from '../../llm/model';
import type { AgentDefinition } from '../../agents/agentDefinition';
import { callableTargets } from '../../agents/callableTargets';
import { isListed, isNamed, mayHave, type ToolEntry, withTraits } from './defaultTools';
import { type ChosenModel, chooseModel, type KnownModels } from './chooseModel';

/** What counts for an agent that does not say it itself. */
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
  /** How deep agents may start others; 0: not at all. */
  maxTaskDepth: number;
  tools: readonly ToolEntry[];
  models: KnownModels | null;
  headless: boolean;
}

/**
 * Agents with their defaults and tools, of which it can be asked what each may do, without running any of them. Made by
 * AgentRuntimeBuilder; it never changes. Methods that take a name throw EngineError `not-found` for one that is not there.
 */
export class AgentSet {
  private readonly byName: ReadonlyMap<string, AgentDefinition>;

  constructor(private readonly parts: AgentSetParts) {
    const last = new Map(parts.agents.map((agent) => [agent.name, agent]));
    this.byName = new Map([...last].filter(([, { disabled }]) => !disabled));
  }

  /** Sorted by name; of several with one name the last. */
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
   * The tools that an agent is offered, under the names by which it knows them: what it denies is left out, and `task` where
   * it has nobody to call. `depth`: how many agents stand above it.
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

  /** Whom an agent may call, sorted by name. */
  callableTargets(name: string): AgentDefinition[] {
    return callableTargets(this.agent(name), this.agents, { headless: this.parts.headless });
  }

  /** Its own model, else the default. Throws ModelResolutionError; a malformed model of its own never falls back. */
  resolveModel(name: string): ChosenModel {
    const { model: own } = this.agent(name);
    return chooseModel({ agent: name, own, otherwise: this.defaults.model }, this.parts.models);
  }

  /** How it wants to be answered, its own before the defaults. */
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
