import written from '../../../assets/help/frontMatter.yaml';
import * as z from '../../base/zod';
import type { AgentDefinition } from '../agents/agentDefinition';
import { claudeAgentSchema } from '../agents/formats/claudeAgent';
import { copilotAgentSchema } from '../agents/formats/copilotAgent';
import { coyoteAgentSchema } from '../agents/formats/coyoteAgent';
import { cursorAgentSchema } from '../agents/formats/cursorAgent';
import { geminiAgentSchema } from '../agents/formats/geminiAgent';
import { markdownAgentSchema } from '../agents/formats/markdownAgent';
import { schemaChoices, schemaKeys, schemaShape } from '../content/checkContent';
import type { ContentPlace } from '../content/contentRoots';
import { CLAUDE_MODELS } from '../content/foreignModel';
import { CLAUDE_TOOLS, COPILOT_TOOLS, GEMINI_TOOLS } from '../content/foreignToolNames';
import { OPENCODE_TOOLS, OWN_TOOLS, type ToolNameTable } from '../content/toolNames';
import { roleSchema } from '../roles/roleLoader';
import { skillSchema } from '../skills/skillLoader';

/** A name that a file can refer to. */
export interface HelpName {
  name: string;
  description: string;
}

export interface HelpNames {
  agents(): Promise<readonly (HelpName & Pick<AgentDefinition, 'graph'>)[]>;
  skills(): Promise<readonly HelpName[]>;
  models(): readonly HelpName[];
  tools(): readonly HelpName[];
  /** Ids of the providers that have models. */
  providers(): readonly string[];
}

/** A key that can be written at a place. */
export interface HelpKey extends HelpName {
  shape: 'list' | 'map' | 'value';
}

/** What can be written at a place of a file. A place is given as the keys and indexes that lead to it. */
export interface WritingHelp {
  /** Returns the keys that the map at a place may have. */
  keys(where: readonly PropertyKey[]): Promise<HelpKey[]>;
  /** Returns the values allowed at a place; for a list, those of one item. */
  values(where: readonly PropertyKey[]): Promise<readonly HelpName[]>;
  /** Returns the description of a key; undefined if the key is unknown. */
  describe(where: readonly PropertyKey[]): string | undefined;
  /** Returns the names that templates may refer to, in formats that have templates. */
  references?(): readonly HelpName[];
}

export const CONTENT_FORMATS = {
  agent: { schema: markdownAgentSchema, texts: 'agent' },
  config: { schema: coyoteAgentSchema, texts: 'agent' },
  claude: { schema: claudeAgentSchema, texts: 'claude' },
  copilot: { schema: copilotAgentSchema, texts: 'copilot' },
  cursor: { schema: cursorAgentSchema, texts: 'cursor' },
  gemini: { schema: geminiAgentSchema, texts: 'gemini' },
  skill: { schema: skillSchema, texts: 'skill' },
  role: { schema: roleSchema, texts: 'role' },
} as const;
type ContentFormat = keyof typeof CONTENT_FORMATS;

const textsSchema = z.record(z.string(), z.record(z.string(), z.string()));
/** Descriptions of the keys: format → key → text. */
export const KEY_TEXTS = textsSchema.parse(written);

/** Completions and descriptions for a file of one format while it is being edited. */
export class ContentHelp implements WritingHelp {
  constructor(
    private readonly format: ContentFormat,
    private readonly names: HelpNames,
  ) {}

  static formatOf({ kind, root, path }: ContentPlace): ContentFormat {
    if (kind === 'skills') return 'skill';
    if (kind === 'roles') return 'role';
    if (path.endsWith('.yaml')) return 'config';
    switch (root.world) {
      case 'claude':
      case 'copilot':
      case 'cursor':
      case 'gemini':
        return root.world;
      default:
        return 'agent';
    }
  }

  async keys(where: readonly PropertyKey[]): Promise<HelpKey[]> {
    const { schema } = CONTENT_FORMATS[this.format];
    const named = await this.keysByName(where);
    if (named) return named.map((one) => ({ ...one, shape: 'value' }));
    return schemaKeys(schema, where).map((name) => ({
      name,
      description: this.describe([...where, name]) ?? '',
      shape: schemaShape(schema, [...where, name]),
    }));
  }

  async values(where: readonly PropertyKey[]): Promise<readonly HelpName[]> {
    const { schema } = CONTENT_FORMATS[this.format];
    const choices = schemaChoices(schema, where).map((name) => ({ name, description: '' }));
    return [...choices, ...(await this.namesFor(String(where[0]), where.length))];
  }

  describe(where: readonly PropertyKey[]): string | undefined {
    const name = where.filter((step) => typeof step !== 'number').join('.');
    return KEY_TEXTS[CONTENT_FORMATS[this.format].texts]?.[name];
  }

  /** Returns the keys of maps whose keys are names; undefined for other maps. */
  private async keysByName(where: readonly PropertyKey[]): Promise<readonly HelpName[] | undefined> {
    if (this.format !== 'agent' || where[0] !== 'permission') return undefined;
    if (where.length === 1) return [...foreign(OPENCODE_TOOLS), ...this.ownTools()];
    return where[1] === 'task' ? this.names.agents() : [];
  }

  private async namesFor(key: string, depth: number): Promise<readonly HelpName[]> {
    // Nested deeper, there are no names to offer.
    if (depth > 2) return [];
    switch (key) {
      case 'tools':
      case 'disallowedTools':
      case 'allowed-tools':
        return this.toolsOfFormat();
      case 'global_tools':
      case 'enabled_tools':
        return this.ownTools();
      case 'skills':
      case 'enabled_skills':
        return this.names.skills();
      case 'agents':
      case 'spawnable_agents':
        return this.names.agents();
      case 'model':
      case 'summarization_model':
        return this.format === 'claude' ? CLAUDE_FAMILIES : this.names.models();
      default:
        return [];
    }
  }

  private toolsOfFormat(): readonly HelpName[] {
    if (this.format === 'copilot') return foreign(COPILOT_TOOLS);
    if (this.format === 'gemini') return foreign(GEMINI_TOOLS);
    return this.format === 'claude' || this.format === 'skill' ? foreign(CLAUDE_TOOLS) : this.ownTools();
  }

  private ownTools(): readonly HelpName[] {
    const known = this.names.tools();
    const more = OWN_TOOLS.filter((name) => !known.some((one) => one.name === name));
    return [...known, ...[...more, 'todo__*', 'user__*', 'agent__*'].map((name) => ({ name, description: '' }))];
  }
}

const CLAUDE_FAMILIES = [
  ...Object.entries(CLAUDE_MODELS).map(([name, description]) => ({ name, description })),
  { name: 'inherit', description: 'The model of whoever starts it' },
];

/** Returns another program's tools that have a counterpart in Cairn. */
function foreign(table: ToolNameTable): HelpName[] {
  return Object.entries(table).flatMap(([name, ours]) => (ours ? [{ name, description: ours.join(', ') }] : []));
}
