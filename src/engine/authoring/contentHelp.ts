import * as z from '../../base/zod';
import written from '../../../assets/help/frontMatter.yaml';
import type { ContentPlace } from '../content/contentRoots';
import { CLAUDE_MODELS } from '../content/foreignModel';
import { schemaChoices, schemaKeys, schemaShape } from '../content/schemaKeys';
import { CLAUDE_TOOLS, COPILOT_TOOLS, GEMINI_TOOLS } from '../content/foreignToolNames';
import { OPENCODE_TOOLS, OWN_TOOLS, type ToolNameTable } from '../content/toolNames';
import { roleSchema } from '../roles/roleLoader';
import { skillSchema } from '../skills/skillLoader';
import { claudeAgentSchema } from '../agents/formats/claudeAgent';
import { copilotAgentSchema } from '../agents/formats/copilotAgent';
import { cursorAgentSchema } from '../agents/formats/cursorAgent';
import { geminiAgentSchema } from '../agents/formats/geminiAgent';
import { coyoteAgentSchema } from '../agents/formats/coyoteAgent';
import { markdownAgentSchema } from '../agents/formats/markdownAgent';

/** Something that can be named in a file. */
export interface HelpName {
  name: string;
  description: string;
}

export interface HelpNames {
  agents(): Promise<readonly HelpName[]>;
  skills(): Promise<readonly HelpName[]>;
  models(): readonly HelpName[];
  tools(): readonly HelpName[];
  /** Ids of those who have models. */
  providers(): readonly string[];
}

/** A key that can be written. */
export interface HelpKey extends HelpName {
  shape: 'list' | 'map' | 'value';
}

/** What can be written at places of a file, which are the keys and indexes that lead there. */
export interface WritingHelp {
  /** The keys that the map at a place may have. */
  keys(where: readonly PropertyKey[]): Promise<HelpKey[]>;
  /** What the value at a place may be; of a list, what one of it may be. */
  values(where: readonly PropertyKey[]): Promise<readonly HelpName[]>;
  /** What a key means; undefined of one that nobody knows. */
  describe(where: readonly PropertyKey[]): string | undefined;
  /** What a template may name, where the file has templates. */
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
export type ContentFormat = keyof typeof CONTENT_FORMATS;

const textsSchema = z.record(z.string(), z.record(z.string(), z.string()));
/** What the keys mean: format → key → sentences. */
export const KEY_TEXTS = textsSchema.parse(written);

/** What can be written in a file of one format, while it is written. */
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

  /** Where keys are names themselves. */
  private async keysByName(where: readonly PropertyKey[]): Promise<readonly HelpName[] | undefined> {
    if (this.format !== 'agent' || where[0] !== 'permission') return undefined;
    if (where.length === 1) return [...foreign(OPENCODE_TOOLS), ...this.ownTools()];
    return where[1] === 'task' ? this.names.agents() : [];
  }

  private async namesFor(key: string, depth: number): Promise<readonly HelpName[]> {
    // Inside of maps there are no names but those of models.
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

/** Of another program's tools those that we have. */
function foreign(table: ToolNameTable): HelpName[] {
  return Object.entries(table).flatMap(([name, ours]) => (ours ? [{ name, description: ours.join(', ') }] : []));
}
