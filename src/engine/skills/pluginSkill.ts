import * as z from '../../base/zod';
import { checkPlugin, fields } from '../checkPlugin';
import { MEMORY } from '../content/contentProblem';
import { EngineError } from '../engineError';
import type { Skill } from './skill';

/** A skill that another extension or program brings. */
export interface PluginSkill {
  /** Letters, digits, `_` and `-`. */
  name: string;
  /** When to load it: what the model decides by. */
  description: string;
  /** What the model is told once it is loaded. */
  body: string;
  /** Names and wildcards of tools that it adds. */
  tools?: readonly string[];
  /** Unloaded by itself at the end of a turn in which it could act. */
  autoUnload?: boolean;
  /** Absolute folder with more to read; none without it. */
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

/** Throws EngineError `invalid-input` when the name or a field does not fit. */
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
