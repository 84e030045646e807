import { fillTemplate, type TemplateValues } from '../../base/template';
import { type Message, userMessage } from '../messages/message';
import { fillRolePrompt, readRolePrompt, RoleConversation, type RolePrompt } from '../roles/rolePrompt';
import type { AgentSession } from '../sessions/agentSession';
import type { Skill } from '../skills/skill';
import type { Clock } from '../ports';
import type { AnyTool } from '../tools/tool';
import { ToolRegistry } from '../tools/toolRegistry';
import { changedText, type Facts, factsText, skillFact, SKILLS } from './placeFacts';
import { MAX_SKILLS, type PromptBlock, skillBlock } from './promptBlocks';
import type { SessionSkills } from './sessionSkills';

/** What of a session says what its model was told. */
export type ToldSession = Pick<AgentSession, 'told' | 'tell' | 'add'>;

export interface PromptParts {
  agent: string;
  session: ToldSession;
  clock: Clock;
  /** The agent's own words, as they were written. */
  agentPrompt: string;
  /** On top of them, or instead of them where nobody chose the agent. */
  role: { name: string; prompt: string; replaces: boolean } | undefined;
  /** Every tool that nothing denies. */
  available: ToolRegistry;
  /** Whether the model is not told of a tool, because it may not be used when the run begins. */
  isHidden: (tool: AnyTool) => boolean;
  /** Whether a tool is the agent's by itself, without a skill. */
  offers(tool: AnyTool): boolean;
  /** What placeholders in the words of agent, role and skills stand for, at a time. */
  values(tools: ToolRegistry, now: number | undefined): TemplateValues;
  /** The same tools under the names by which the agent knows them; `granted`: those that a skill adds. */
  named(tools: ToolRegistry, granted: ReadonlySet<string>): ToolRegistry;
  blocks: readonly PromptBlock[];
  /** Where the agent is, as it is now; left out for a role that needs nothing of it. */
  place(): Promise<Facts>;
  /** What files of the workspace say about those that the model has seen; asked before each request. */
  nearby(): Promise<Facts>;
  skills: SessionSkills;
  /** Takes out of a text what no model may see. */
  strike?: ((text: string) => string) | undefined;
}

interface MadeOf {
  active: readonly Skill[];
  loadable: readonly Skill[];
  /** How the model is told of the loadable ones; null when it is not. */
  hint: { instructions: string | undefined } | null;
}

const NOTHING: MadeOf = { active: [], loadable: [], hint: null };

/**
 * What an agent is told and which tools it has. The prompt stays as it was sent first, so that vendors find it in their caches:
 * what changes later is told in a message. The tools of all skills that may be loaded are there from the start of a run, and
 * can be called once their skill is loaded.
 */
export class PromptAndTools {
  /** Null until it is asked for: a call looks for its tool alone. */
  private prompt: string | null = null;
  /** What prompt and tools were made of. */
  private madeOf: MadeOf | undefined;
  private registry: ToolRegistry;
  /** The names of its tools, by which it is known whether it is still right. */
  private names = '';
  /** Names of the tools that a skill adds, loaded or not. */
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

  /** The conversation as the role wants the model to see it. */
  converse(messages: readonly Message[]): Message[] {
    return [...(this.conversation?.apply(messages) ?? messages)];
  }

  /** Names of the skills one of which has to be loaded before a tool may be called; none when it may be. */
  lockedBy(name: string): readonly string[] {
    const { skills, available } = this.parts;
    const own = this.registry.get(name)?.ownName ?? name;
    const tool = available.get(own);
    if (!tool || !this.granted.has(own) || this.parts.offers(tool)) return [];
    const { active, loadable } = this.madeOf ?? NOTHING;
    const adding = (skill: Skill) => skills.toolsOf(skill).includes(own);
    return active.some(adding) ? [] : loadable.filter(adding).map((skill) => skill.name);
  }

  /** Looks again at what is loaded. Gives the skills that act. */
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

  /** The same, for a request to the model, which is told what changed since the last one. */
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

  /** What this agent was told in this session; undefined when its prompt is to be made anew. */
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
    // A role that stands for itself gets nothing else: it may only want its words and the input.
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
