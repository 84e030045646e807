import { matchesWildcard } from '../../base/wildcard';
import type { SkillPolicy } from './skill';

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
