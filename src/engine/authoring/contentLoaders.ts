/** The loaders that read content from files, as one chunk of the bundle that is loaded on first use. */
export { CommandLoader } from '../commands/commandLoader';
export { RoleLoader } from '../roles/roleLoader';
export { SkillLoader } from '../skills/skillLoader';
export { AgentLoader } from '../agents/agentLoader';
