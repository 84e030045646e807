import type { Host } from '../host';
import { approve } from './review/approve';
import { chooseApprovalMode } from './chooseApprovalMode';
import { chooseModel } from './chooseModel';
import type { Command } from './command';
import { newSession } from './newSession';
import { openChat } from './openChat';
import { openSession } from './openSession';
import { reject } from './review/reject';
import { reviewChanges } from './review/reviewChanges';
import { leaveHunk } from './review/leaveHunk';
import { takeHunk } from './review/takeHunk';
import { setApiKey } from './setApiKey';
import { showLog } from './showLog';
import { stopRun } from './stopRun';

/** Every command; package.json declares the same ones. */
export function commands(host: Host): Command[] {
  return [
    openChat,
    newSession,
    openSession,
    chooseModel,
    chooseApprovalMode,
    setApiKey,
    approve,
    reject,
    takeHunk,
    leaveHunk,
    reviewChanges,
    stopRun,
    showLog,
  ].map((make) => make(host));
}
