/** `${CLAUDE_SKILL_DIR}` and its names in other tools: the folder of the skill. */
const OWN_FOLDER = /\$\{(?:CLAUDE_SKILL_DIR|CLAUDE_SKILL_ROOT|SKILL_DIR)\}|\{baseDir\}/g;
/** The folder of the skill's plugin, which contains `skills/`. */
const PLUGIN_FOLDER = /\$\{CLAUDE_PLUGIN_ROOT\}/g;
const WORKSPACE = /\$\{CLAUDE_PROJECT_DIR\}/g;

/** Fills in the paths that a skill refers to. */
export function fillSkillPlaces(body: string, folder: string | null, workspace: string): string {
  const filled = body.replace(WORKSPACE, () => workspace);
  if (folder === null) return filled;
  const plugin = folder.replace(/[\\/]skills?[\\/](?!.*[\\/]skills?[\\/]).*$/, '');
  return filled.replace(OWN_FOLDER, () => folder).replace(PLUGIN_FOLDER, () => plugin);
}
