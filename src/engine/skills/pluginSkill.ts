import * as z from '../../base/zod';
import { checkPlugin, fields } from '../checkPlugin';
import { MEMORY } from '../content/contentProblem';
import { EngineError } from '../engineError';
import type { Skill } from './skill';

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
