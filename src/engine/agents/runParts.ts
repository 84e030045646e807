/** What carries out a run, as one part of the bundle: it is loaded with the first one. */
export { toolPolicy } from '../permissions/toolPolicy';
export { AutoContinue } from '../run/autoContinue';
export { compactNow } from '../run/compactNow';
export { RepeatGuard } from '../run/guard/repeatGuard';
export { runLoop } from '../run/loop/runLoop';
export { runAgent } from '../run/runAgent';
export { titleSession } from '../run/titleSession';
export { equipAgent, rulesOf } from './equipAgent';
export { Escalations } from './team/escalations';
export { TeamMember } from './team/teamMember';
