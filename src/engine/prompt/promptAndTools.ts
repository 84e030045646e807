import { fillTemplate, type TemplateValues } from '../../base/template';
import { type Message, userMessage } from '../messages/message';
import type { Clock } from '../ports';
import { fillRolePrompt, readRolePrompt, RoleConversation, type RolePrompt } from '../roles/role';
import type { AgentSession } from '../sessions/agentSession';
import type { Skill } from '../skills/skill';
import type { AnyTool } from '../tools/tool';
import { ToolRegistry } from '../tools/toolRegistry';
import { changedText, type Facts, factsText, skillFact, SKILLS } from './placeFacts';
import { MAX_SKILLS, type PromptBlock, skillBlock } from './promptBlocks';
import type { SessionSkills } from './sessionSkills';

/** The part of a session that records what its model was told. */
export type ToldSession = Pick<AgentSession, 'told' | 'tell' | 'add'>;

export interface PromptParts {
  agent: string;
  session: ToldSession;
  clock: Clock;
  /** The agent's prompt with its placeholders. */
  agentPrompt: string;
  /** Added to the agent's prompt, or replaces it if no agent was chosen. */
  role: { name: string; prompt: string; replaces: boolean } | undefined;
  /** All tools that no rule denies. */
  available: ToolRegistry;
  /** Whether a tool is hidden from the model because it may not be used when the run starts. */
  isHidden: (tool: AnyTool) => boolean;
  /** Whether the agent has a tool without a skill. */
  offers(tool: AnyTool): boolean;
  /** Returns the values of placeholders in the prompts of agent, role, and skills, for a given time. */
  values(tools: ToolRegistry, now: number | undefined): TemplateValues;
  /** Returns the tools under the names that the agent uses; `granted`: those that a skill adds. */
  named(tools: ToolRegistry, granted: ReadonlySet<string>): ToolRegistry;
  blocks: readonly PromptBlock[];
  /** Describes the agent's current environment; not used for a role that does not need it. */
  place(): Promise<Facts>;
  /** Returns instructions for the files that the model has seen; called before each request. */
  nearby(): Promise<Facts>;
  skills: SessionSkills;
  /** Redacts what no model may see. */
  strike?: ((text: string) => string) | undefined;
}

interface MadeOf {
  active: readonly Skill[];
  loadable: readonly Skill[];
  /** How the model learns about loadable skills; null if it does not. */
  hint: { instructions: string | undefined } | null;
}

const NOTHING: MadeOf = { active: [], loadable: [], hint: null };

/**
 * Builds the prompt and tools of an agent. The prompt stays as it was first sent, so that it remains in the vendors' caches:
 * later changes are reported in a message. The tools of all loadable skills are present from the start of a run, and can be
 * called once their skill is loaded.
 */
export class PromptAndTools {
  /** Null until needed: a direct tool call does not require a prompt. */
  private prompt: string | null = null;
  /** The inputs of the current prompt and tools. */
  private madeOf: MadeOf | undefined;
  private registry: ToolRegistry;
  /** The names in `registry`, to detect whether it must be rebuilt. */
  private names = '';
  /** Names of the tools that skills add, loaded or not. */
  private granted: ReadonlySet<string> = new Set();
  private place: Facts | undefined;
  private facts: Facts = {};
  private near: Facts = {};
  private hasAsked = false;
  private readonly rolePrompt: RolePrompt | undefined;
  private readonly conversation: RoleConversation | undefined;

  constructor(private readonly parts: PromptParts) {
    this.registry = new ToolRegistry([]);
    if (!parts.role) return;
    const { prompt } = parts.role;
    const values = parts.values(parts.available, this.told?.time);
    this.rolePrompt = readRolePrompt(prompt);
    this.conversation = new RoleConversation(fillRolePrompt(this.rolePrompt, (text) => fillTemplate(text, values)));
  }

  get system(): string {
    return (this.prompt ??= this.assemble());
  }

  get tools(): ToolRegistry {
    return this.registry;
  }

  get skills(): SessionSkills {
    return this.parts.skills;
  }

  /** Returns the conversation as the role presents it to the model. */
  converse(messages: readonly Message[]): Message[] {
    return [...(this.conversation?.apply(messages) ?? messages)];
  }

  /** Returns the skills of which one must be loaded before a tool may be called; empty if it may be called. */
  lockedBy(name: string): readonly string[] {
    const { skills, available } = this.parts;
    const own = this.registry.get(name)?.ownName ?? name;
    const tool = available.get(own);
    if (!tool || !this.granted.has(own) || this.parts.offers(tool)) return [];
    const { active, loadable } = this.madeOf ?? NOTHING;
    const adding = (skill: Skill) => skills.toolsOf(skill).includes(own);
    return active.some(adding) ? [] : loadable.filter(adding).map((skill) => skill.name);
  }

  /** Re-evaluates which skills are loaded, and returns the active ones. */
  async refresh(): Promise<readonly Skill[]> {
    const { skills } = this.parts;
    const active = await skills.active();
    const { skills: loadable, told } = await skills.offered();
    const hint = told.injects ? { instructions: told.instructions } : null;
    if (!this.place) await this.lookAround();
    if (this.madeOf && areSame(this.madeOf, { active, loadable, hint })) return active;
    this.madeOf = { active, loadable, hint };
    this.chooseTools();
    this.facts = this.allFacts();
    if (!this.told) this.prompt = null;
    return active;
  }

  /** Refreshes for a request, and tells the model what has changed since the last one. */
  async forRequest(): Promise<void> {
    const { agent, role, session, clock, skills } = this.parts;
    const active = await this.refresh();
    skills.used(active);
    await this.lookNearby();
    const { told } = this;
    const who = { agent, role: role?.name ?? null };
    const changed = skills.takeChangedByCall();
    if (!told) {
      if (this.hasAsked) await this.lookAround();
      this.hasAsked = true;
      await session.tell({ ...who, begins: true, facts: this.facts });
      this.prompt = null;
      return;
    }
    const known = new Set([...changed].map(skillFact));
    this.hasAsked = true;
    const text = changedText(told.now, this.facts, known);
    if (text === '' && known.size === 0) return;
    if (text !== '') await session.add({ ...userMessage(text, clock.now(), true), automatic: true });
    await session.tell({ ...who, begins: false, facts: this.facts });
  }

  /** What this agent was told in this session; undefined if its prompt must be built. */
  private get told() {
    const { agent, role, session } = this.parts;
    const { told } = session;
    return told?.agent === agent && told.role === (role?.name ?? null) ? told : undefined;
  }

  private async lookAround(): Promise<void> {
    this.place = await this.parts.place();
    this.facts = this.allFacts();
  }

  private async lookNearby(): Promise<void> {
    const near = await this.parts.nearby();
    if (Object.keys(near).join('\n') === Object.keys(this.near).join('\n')) return;
    this.near = near;
    this.facts = this.allFacts();
  }

  private allFacts(): Facts {
    const { parts, registry } = this;
    // A role that replaces the agent and has no tools gets nothing else: it may depend on its prompt and the input alone.
    const alone = parts.role?.replaces === true && parts.role.prompt.trim() !== '' && registry.names.length === 0;
    const { active, loadable, hint } = this.madeOf ?? NOTHING;
    const offered = hint && skillBlock(registry, loadable, hint.instructions);
    const bodies = this.rolePrompt?.around ? [] : active;
    const facts = {
      ...(!alone && this.place),
      ...(!alone && this.near),
      ...(offered && { [SKILLS]: offered }),
      ...Object.fromEntries(
        bodies.map((skill) => [skillFact(skill.name), `# Skill: ${skill.name}\n${parts.skills.bodyOf(skill)}`]),
      ),
    };
    return Object.fromEntries(Object.entries(facts).map(([name, text]) => [name, this.struck(text)]));
  }

  private chooseTools(): void {
    const { skills, available } = this.parts;
    const { active, loadable, hint } = this.madeOf ?? NOTHING;
    const loads = available.get('skill__load');
    const adding = this.names === '' && loads && this.parts.offers(loads) ? [...active, ...loadable] : active;
    const granted = new Set([...this.granted, ...adding.flatMap((skill) => skills.toolsOf(skill))]);
    const listed = hint !== null && hint.instructions === undefined && loadable.length <= MAX_SKILLS;
    const ofUse = ({ name }: AnyTool) =>
      !name.startsWith('skill__') || (active.length + loadable.length > 0 && !(listed && name === 'skill__list'));
    const isKept = (tool: AnyTool) => this.registry.get(tool.name) !== undefined;
    const tools = available.without(
      (tool) => !isKept(tool) && !granted.has(tool.name) && !(this.parts.offers(tool) && ofUse(tool)),
    );
    const names = [...tools.names, '+', ...granted].join();
    if (names !== this.names) this.registry = this.parts.named(tools, granted).hiding(this.parts.isHidden);
    this.granted = granted;
    this.names = names;
  }

  private assemble(): string {
    const { blocks } = this.parts;
    const tools = this.registry;
    const { told } = this;
    const filled = this.parts.values(tools, told?.time);
    const said = [...this.words(filled), ...blocks.map((block) => block(tools))].filter((text) => text !== null);
    const all = [...said.map((text) => this.struck(text)), factsText(told ? told.first : this.facts)];
    return all.filter((text) => text !== '').join('\n\n');
  }

  private struck(text: string): string {
    return this.parts.strike?.(text) ?? text;
  }

  private words(filled: TemplateValues): string[] {
    const { agentPrompt, role } = this.parts;
    const own = fillTemplate(agentPrompt, filled).trim();
    if (!role || role.prompt.trim() === '') return [own];
    const words = fillTemplate(this.rolePrompt?.system ?? '', filled);
    if (role.replaces) return [words];
    return words === '' ? [own] : [own, `# Your role: ${role.name}\n${words}`];
  }
}

function areSame(one: MadeOf, other: MadeOf): boolean {
  const alike = (a: readonly Skill[], b: readonly Skill[]) =>
    a.length === b.length && a.every((skill, index) => skill === b[index]);
  return (
    alike(one.active, other.active) &&
    alike(one.loadable, other.loadable) &&
    (one.hint === null) === (other.hint === null) &&
    one.hint?.instructions === other.hint?.instructions
  );
}
