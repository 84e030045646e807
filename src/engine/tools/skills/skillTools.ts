import type { AnyTool } from '../tool';
import { listSkillsTool } from './listSkills';
import { loadSkillTool } from './loadSkill';
import { unloadSkillTool } from './unloadSkill';

/** The tools for the skills of a session. */
export function skillTools(): AnyTool[] {
  return [listSkillsTool(), loadSkillTool(), unloadSkillTool()];
}
