import type { Host } from '../host';
import { approve } from './approve';
import { chooseApprovalMode } from './chooseApprovalMode';
import { chooseModel } from './chooseModel';
import type { Command } from './command';
import { editPermissionRules } from './editPermissionRules';
import { newSession } from './newSession';
import { openChat } from './openChat';
import { openSession } from './openSession';
import { reject } from './reject';
import { restoreCheckpoint } from './restoreCheckpoint';
import { setApiKey } from './setApiKey';
import { showAuditLog } from './showAuditLog';
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
    restoreCheckpoint,
    stopRun,
    showLog,
    showAuditLog,
    editPermissionRules,
  ].map((make) => make(host));
}
