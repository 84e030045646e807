import { fillTemplate, type TemplateValues } from '../../../base/template';
import type { Message } from '../../messages/message';
import { RoleConversation } from '../../roles/roleConversation';
import { fillRolePrompt, type RolePrompt, readRolePrompt } from '../../roles/rolePrompt';
import type { Skill } from '../../skills/skill';
import type { AnyTool } from '../../tools/tool';
import { ToolRegistry } from '../../tools/toolRegistry';
import { type PromptBlock, skillBlock } from './promptBlocks';
import type { SessionSkills } from './sessionSkills';

export interface EquipmentParts {
  /** The agent's own words, as they were written. */
  agentPrompt: string;
  /** On top of them, or instead of them where nobody chose the agent. */
  role: { name: string; prompt: string; replaces: boolean } | undefined;
  /** Every tool that nothing denies. */
  available: ToolRegistry;
  /** Whether a tool is the agent's by itself, without a skill. */
  offers(tool: AnyTool): boolean;
  /** What placeholders in the words of agent, role and skills stand for. */
  values(tools: ToolRegistry): TemplateValues;
  /** The same tools under the names by which the agent knows them; `granted`: those that a skill adds. */
  named(tools: ToolRegistry, granted: ReadonlySet<string>): ToolRegistry;
  blocks: readonly PromptBlock[];
  /** Where the agent is; left out for a role that needs nothing of it. */
  place: string;
  skills: SessionSkills;
}

interface MadeOf {
  active: readonly Skill[];
  loadable: readonly Skill[];
  /** How the model is told of the loadable ones; null when it is not. */
  hint: { instructions: string | undefined } | null;
}

const NOTHING: MadeOf = { active: [], loadable: [], hint: null };

/**
 * What an agent is told and which tools it has. Made anew before each question, and the very same while nothing changed,
 * so that vendors find it in their caches.
 */
export class Equipment {
  /** Null until it is asked for: a call looks for its tool alone. */
  private prompt: string | null = null;
  /** What prompt and tools were made of. */
  private madeOf: MadeOf | undefined;
  private registry: ToolRegistry;
  /** The names of its tools, by which it is known whether it is still right. */
  private names = '';
  private readonly rolePrompt: RolePrompt | undefined;
  private readonly conversation: RoleConversation | undefined;

  constructor(private readonly parts: EquipmentParts) {
    this.registry = new ToolRegistry([]);
    if (!parts.role) return;
    const { prompt } = parts.role;
    const values = parts.values(parts.available);
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

  /** Looks again at what is loaded. Gives the skills that act. */
  async refresh(): Promise<readonly Skill[]> {
    const { skills } = this.parts;
    const active = await skills.active();
    const { skills: loadable, told } = await skills.offered();
    const hint = told.injects ? { instructions: told.instructions } : null;
    if (this.madeOf && areSame(this.madeOf, { active, loadable, hint })) return active;
    this.madeOf = { active, loadable, hint };
    this.chooseTools(active, loadable);
    this.prompt = null;
    return active;
  }

  private chooseTools(active: readonly Skill[], loadable: readonly Skill[]): void {
    const { skills, available } = this.parts;
    const granted = new Set(active.flatMap((skill) => skills.toolsOf(skill)));
    const ofUse = ({ name }: AnyTool) =>
      !name.startsWith('skill__') || active.length > 0 || (loadable.length > 0 && name !== 'skill__unload');
    const tools = available.without((tool) => !granted.has(tool.name) && !(this.parts.offers(tool) && ofUse(tool)));
    const names = [...tools.names, '+', ...granted].join();
    if (names !== this.names) this.registry = this.parts.named(tools, granted);
    this.names = names;
  }

  /** The same, for a request to the model. */
  async forRequest(): Promise<void> {
    this.skills.used(await this.refresh());
  }

  private assemble(): string {
    const { blocks, place, role } = this.parts;
    const tools = this.registry;
    const filled = this.parts.values(tools);
    // A role that stands for itself gets nothing else: it may only want its words and the input.
    const alone = role?.replaces === true && role.prompt.trim() !== '' && tools.names.length === 0;
    const { active, loadable, hint } = this.madeOf ?? NOTHING;
    const bodies = this.rolePrompt?.around ? [] : active;
    return [
      ...this.words(filled),
      ...blocks.map((block) => block(tools)),
      alone ? null : place,
      hint && skillBlock(tools, loadable, hint.instructions),
      ...bodies.map(({ name, body }) => `# Skill: ${name}\n${fillTemplate(body, filled)}`),
    ]
      .filter((text) => text !== null && text !== '')
      .join('\n\n');
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
