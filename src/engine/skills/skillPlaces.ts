/** `${CLAUDE_SKILL_DIR}` and what other tools call it: the folder in which a skill and its files lie. */
const OWN_FOLDER = /\$\{(?:CLAUDE_SKILL_DIR|CLAUDE_SKILL_ROOT|SKILL_DIR)\}|\{baseDir\}/g;
/** The folder of the plugin that the skill is a part of: that in which `skills/` lies. */
const PLUGIN_FOLDER = /\$\{CLAUDE_PLUGIN_ROOT\}/g;
const WORKSPACE = /\$\{CLAUDE_PROJECT_DIR\}/g;

/** The words of a skill with the places that it names. */
export function fillSkillPlaces(body: string, folder: string | null, workspace: string): string {
  const filled = body.replace(WORKSPACE, () => workspace);
  if (folder === null) return filled;
  const plugin = folder.replace(/[\\/]skills?[\\/](?!.*[\\/]skills?[\\/]).*$/, '');
  return filled.replace(OWN_FOLDER, () => folder).replace(PLUGIN_FOLDER, () => plugin);
}
