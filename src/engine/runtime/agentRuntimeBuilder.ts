import { nearest } from '../../base/matching';
import type { AgentDefinition } from '../agents/agentDefinition';
import { modelId, modelName } from '../content/writtenNames';
import { EngineError } from '../engineError';
import type { Effort } from '../llm/model';
import { ModelResolutionError } from '../llm/providerRegistry';
import { callableTargets } from '../team/targetChooser';
import { ON_REQUEST } from '../tools/onRequest/onRequest';
import { keepsItsName, OPENCODE_NAMES } from '../tools/openCode/openCodeNames';
import { defaultTools, isListed, isNamed, mayHave, type ToolEntry, withTraits } from './wantedTools';

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

/** Defaults for agents that do not specify a value themselves. */
export interface AgentDefaults {
  /** `provider:model` or `provider/model`. */
  model?: string;
  temperature?: number;
  topP?: number;
  effort?: Effort;
}

interface AgentSetParts {
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

/** Model names by provider; `any` if a provider's models are not listed. */
export type KnownModels = Readonly<Record<string, readonly string[] | 'any'>>;

/** The model chosen for an agent. */
export interface ChosenModel {
  provider: string;
  /** The part of the ID after the provider. */
  model: string;
  /** `provider:model`. */
  id: string;
  from: 'agent' | 'defaults';
}

interface ModelWishes {
  /** The agent's name, for error messages. */
  agent: string;
  /** The agent's own model, `provider:model` or `provider/model`. */
  own: string | undefined;
  /** The default if the agent has none. */
  otherwise: string | undefined;
}

/**
 * Chooses the agent's own model, or else the default. An invalid model of the agent's is never skipped. `known`: null if every
 * provider and model counts as known. Throws ModelResolutionError.
 */
function chooseModel({ agent, own, otherwise }: ModelWishes, known: KnownModels | null): ChosenModel {
  const written = own ?? otherwise;
  const from = own === undefined ? 'defaults' : 'agent';
  const who = from === 'agent' ? `The agent “${agent}”` : `The default for the agent “${agent}”`;
  if (written === undefined) {
    const hint = 'Add model: provider/model to its front matter, or set a default model.';
    throw new ModelResolutionError('missing', `No model is set for the agent “${agent}”. ${hint}`);
  }
  if (!modelName.safeParse(written).success) {
    const hint = 'A model is written provider/model or provider:model.';
    throw new ModelResolutionError('malformed', `${who} names “${written}”, which is not a model. ${hint}`);
  }
  const id = modelId(written);
  const provider = id.slice(0, id.indexOf(':'));
  const model = id.slice(provider.length + 1);
  if (known) refuseUnknown({ provider, model }, known, who);
  return { provider, model, id, from };
}

function refuseUnknown({ provider, model }: Pick<ChosenModel, 'provider' | 'model'>, known: KnownModels, who: string) {
  const models = Object.hasOwn(known, provider) ? known[provider] : undefined;
  if (models === undefined) {
    const names = Object.keys(known);
    const text = `${who} names an unknown provider, “${provider}”.`;
    throw new ModelResolutionError('unknown-provider', `${text} ${hintOf(provider, names)}`);
  }
  if (models === 'any' || models.includes(model)) return;
  const text = `${who} names the model “${model}”, which ${provider} does not have.`;
  throw new ModelResolutionError('unknown-model', `${text} ${hintOf(model, models)}`);
}

function hintOf(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  if (meant !== undefined) return `Did you mean “${meant}”?`;
  return names.length === 0 ? 'There is none.' : `Known are: ${names.join(', ')}.`;
}
