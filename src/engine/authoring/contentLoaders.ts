/** What reads content from files, as one part of the bundle: it is loaded with the first that is asked for. */
export { CommandLoader } from '../commands/commandLoader';
export { RoleLoader } from '../roles/roleLoader';
export { SkillLoader } from '../skills/skillLoader';
export { AgentLoader } from '../agents/agentLoader';
