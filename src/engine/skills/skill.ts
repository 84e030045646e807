import { matchesWildcard } from '../../base/matching';
import * as z from '../../base/zod';
import { checkPlugin, fields } from '../checkPlugin';
import { type ContentSource, MEMORY, type Named } from '../content/contentProblem';
import { EngineError } from '../engineError';

/** Knowledge and tools that are loaded when needed. */
export interface Skill extends Named {
  /** The name of its folder. */
  readonly name: string;
  readonly source: ContentSource;
  /** When to load it; the model decides by this text. */
  description: string;
  /** Instructions that the model gets once the skill is loaded. */
  body: string;
  /** Absolute path; its `references/`, `scripts/`, and `assets/` are read when needed. Null if it has none. */
  folder: string | null;
  /** Names and wildcards of the tools that it adds. */
  tools: readonly string[];
  /** MCP servers that it needs. */
  servers: readonly string[];
  /** Whether it is unloaded at the end of a turn in which it was used. */
  autoUnload: boolean;
  /** False: only the user may load it. */
  forModel: boolean;
  /** Only a model may load it; it is not available after `/`. */
  notForPeople?: true;
  /** Arguments that may follow the name, for people. */
  hint?: string;
}

/** Skill settings of an agent, a role, a session, or the user; absent fields are unspecified. */
export interface SkillPolicy {
  /** False turns skills off; no other level can turn them on again. */
  on?: boolean;
  /** The skills that may be loaded; an empty list means none. */
  names?: readonly string[];
  /** Rules by name with wildcards, where the last match wins; skills without a match may be loaded. */
  rules?: readonly { pattern: string; action: 'allow' | 'ask' | 'deny' }[];
  /** Whether the prompt mentions skills. Default: true. */
  injects?: boolean;
  /** Replaces the built-in instructions. */
  instructions?: string;
}

/** A skill provided by another extension or program. */
export interface PluginSkill {
  /** Letters, digits, `_`, and `-`. */
  name: string;
  /** When to load it; the model decides by this text. */
  description: string;
  /** Instructions that the model gets once the skill is loaded. */
  body: string;
  /** Names and wildcards of the tools that it adds. */
  tools?: readonly string[];
  /** Whether it is unloaded at the end of a turn in which it was used. */
  autoUnload?: boolean;
  /** Absolute path of a folder with additional files; absent: none. */
  folder?: string;
}

const skillSchema = z.lazy(() =>
  fields({
    name: z.string(),
    description: z.string(),
    body: z.string(),
    tools: z.optional(z.array(z.string())),
    autoUnload: z.optional(z.boolean()),
    folder: z.optional(z.string()),
  }),
);

/** Validates the skill and fills in defaults. Throws EngineError `invalid-input` if the name or a field is invalid. */
export function pluginSkill(skill: PluginSkill): Skill {
  checkPlugin('skill', skill, skillSchema);
  const { name, description, body, tools = [], autoUnload = false, folder } = skill;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    const rule = 'Names have up to 64 letters, digits, “_”, and “-”.';
    throw new EngineError('invalid-input', `“${name}” is not a valid skill name. ${rule}`);
  }
  const source = { scope: 'user', world: 'cairn', path: MEMORY } as const;
  return {
    name,
    description,
    body,
    tools,
    autoUnload,
    source,
    folder: folder ?? null,
    servers: [],
    forModel: true,
  };
}

/** The skill settings of each level. */
export interface SkillLevels {
  session: SkillPolicy;
  agent: SkillPolicy;
  role: SkillPolicy;
  global: SkillPolicy & {
    /** Restricts the skills that any level can enable. */
    visible?: readonly string[];
  };
}

export interface ResolvedSkills {
  /** Names of the skills that may be loaded; empty if skills are off. */
  names: readonly string[];
  /** Whether a level names skills; otherwise all skills are included. */
  named: boolean;
  /** Whether the prompt mentions skills. */
  injects: boolean;
  /** Replaces the built-in instructions. */
  instructions: string | undefined;
  /** Skills that are enabled but unavailable, one sentence each. */
  problems: readonly string[];
}

const NAME = /^[A-Za-z0-9_-]+$/;

/**
 * Combines the settings of all levels. Any level can turn skills off. The first of session, agent, role, and user settings that
 * names skills determines them; if none does, all visible skills may be loaded.
 */
export function resolveSkills(levels: SkillLevels, installed: readonly string[]): ResolvedSkills {
  const { session, agent, role, global } = levels;
  const inOrder = [session, agent, role, global];
  const tells = [agent, role, global];
  const told = {
    injects: tells.find(({ injects }) => injects !== undefined)?.injects ?? true,
    instructions: tells.find(({ instructions }) => instructions !== undefined)?.instructions,
  };
  if (inOrder.some(({ on }) => on === false)) return { names: [], named: false, ...told, problems: [] };
  const { visible } = global;
  // Called for each request, and usually there are no rules.
  const rulesOfAll = inOrder.flatMap(({ rules = [] }) => (rules.length > 0 ? [rules] : []));
  const isDenied = (name: string) =>
    rulesOfAll.some((rules) => rules.findLast(({ pattern }) => matchesWildcard(pattern, name))?.action === 'deny');
  const isSeen = (name: string) => (visible?.includes(name) ?? true) && !isDenied(name);
  const seen = visible || rulesOfAll.length > 0 ? installed.filter(isSeen) : installed;
  const enabled = inOrder.find(({ names }) => names !== undefined)?.names;
  if (!enabled) return { names: seen, named: false, ...told, problems: [] };
  const problems = enabled.flatMap((name) => problemOf(name, installed, visible) ?? []);
  return { names: seen.filter((name) => enabled.includes(name)), named: true, ...told, problems };
}

function problemOf(name: string, installed: readonly string[], visible: readonly string[] | undefined) {
  if (!NAME.test(name))
    return `“${name}” is enabled, but is not a valid skill name: use letters, digits, dashes, and underscores.`;
  if (!installed.includes(name))
    return `The skill “${name}” is enabled, but does not exist. Add it as skills/${name}/SKILL.md, or remove it from the list.`;
  if (visible && !visible.includes(name))
    return `The skill “${name}” is enabled, but your settings do not make it visible.`;
  return undefined;
}
