/** Commands whose code is loaded when one of them is first used. */
export { chooseAgent } from './chooseAgent';
export { chooseRole } from './chooseRole';
export { chooseSkills } from './chooseSkills';
export { describeCommand } from './describeCommand';
