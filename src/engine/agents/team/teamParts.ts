/** What the first run of an agent loads. */
export { Escalations } from './escalations';
export { TeamMember } from './teamMember';
