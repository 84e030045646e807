import type { Host } from '../host';
import { chooseApprovalMode } from './chooseApprovalMode';
import { chooseModel } from './chooseModel';
import type { Command } from './command';
import { editPermissionRules } from './editPermissionRules';
import { addFile } from './context/addFile';
import { addProblems } from './context/addProblems';
import { addSelection } from './context/addSelection';
import { explain } from './context/explain';
import { fix } from './context/fix';
import { customizeCommands } from './customize/customizeCommands';
import { loadedLater } from './loadedLater';
import { openChat } from './openChat';
import { approve } from './review/approve';
import { keepAll } from './review/keepAll';
import { keepFile } from './review/keepFile';
import { keepHunk } from './review/keepHunk';
import { leaveHunk } from './review/leaveHunk';
import { reject } from './review/reject';
import { reviewChanges } from './review/reviewChanges';
import { takeHunk } from './review/takeHunk';
import { deleteSession } from './sessions/deleteSession';
import { clearTodos } from './sessions/clearTodos';
import { compactSession } from './sessions/compactSession';
import { undoAll } from './review/undoAll';
import { undoFile } from './review/undoFile';
import { undoHunk } from './review/undoHunk';
import { exportSession } from './sessions/exportSession';
import { find } from './sessions/find';
import { newSession } from './sessions/newSession';
import { openInEditor } from './sessions/openInEditor';
import { openSession } from './sessions/openSession';
import { openTranscript } from './sessions/openTranscript';
import { renameSession } from './sessions/renameSession';
import { restoreCheckpoint } from './sessions/restoreCheckpoint';
import { showAuditLog } from './showAuditLog';
import { showLog } from './showLog';
import { stopRun } from './stopRun';
import { writeCommitMessage } from './writeCommitMessage';

const setup = () => import('./setup/setupCommands');

/** Every command; package.json declares the same ones. */
export function commands(host: Host): Command[] {
  return [
    openChat,
    openInEditor,
    newSession,
    openSession,
    openTranscript,
    exportSession,
    renameSession,
    deleteSession,
    find,
    compactSession,
    clearTodos,
    chooseModel,
    chooseApprovalMode,
    loadedLater('chooseAgent', async () => (await setup()).chooseAgent),
    loadedLater('chooseRole', async () => (await setup()).chooseRole),
    loadedLater('chooseSkills', async () => (await setup()).chooseSkills),
    loadedLater('describeCommand', async () => (await setup()).describeCommand),
    loadedLater('setApiKey', async () => (await import('./setApiKey')).setApiKey),
    addSelection,
    addFile,
    addProblems,
    explain,
    fix,
    writeCommitMessage,
    approve,
    reject,
    takeHunk,
    leaveHunk,
    reviewChanges,
    keepHunk,
    undoHunk,
    keepFile,
    undoFile,
    keepAll,
    undoAll,
    restoreCheckpoint,
    stopRun,
    showLog,
    showAuditLog,
    editPermissionRules,
    ...customizeCommands,
  ].map((make) => make(host));
}
