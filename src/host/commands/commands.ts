import type { Host } from '../host';
import type { Command } from './command';
import { addFile } from './context/addFile';
import { addSelection } from './context/addSelection';
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
import { undoAll } from './review/undoAll';
import { undoFile } from './review/undoFile';
import { undoHunk } from './review/undoHunk';
import { find } from './sessions/find';
import { newSession } from './sessions/newSession';
import { openInEditor } from './sessions/openInEditor';
import { openSession } from './sessions/openSession';
import { showLog } from './showLog';
import { stopRun } from './stopRun';

const setup = () => import('./setup/setupCommands');
const rareSessions = () => import('./sessions/rareSessionCommands');
const problemCommands = () => import('./context/problemCommands');

/** Every command; package.json declares the same ones. */
export function commands(host: Host): Command[] {
  return [
    openChat,
    openInEditor,
    newSession,
    openSession,
    loadedLater('openTranscript', async () => (await rareSessions()).openTranscript),
    loadedLater('exportSession', async () => (await rareSessions()).exportSession),
    loadedLater('renameSession', async () => (await rareSessions()).renameSession),
    loadedLater('deleteSession', async () => (await rareSessions()).deleteSession),
    find,
    loadedLater('compactSession', async () => (await rareSessions()).compactSession),
    loadedLater('clearTodos', async () => (await rareSessions()).clearTodos),
    loadedLater('chooseModel', async () => (await import('./chooseModel')).chooseModel),
    loadedLater('chooseApprovalMode', async () => (await import('./chooseApprovalMode')).chooseApprovalMode),
    loadedLater('chooseAgent', async () => (await setup()).chooseAgent),
    loadedLater('chooseRole', async () => (await setup()).chooseRole),
    loadedLater('chooseSkills', async () => (await setup()).chooseSkills),
    loadedLater('describeCommand', async () => (await setup()).describeCommand),
    loadedLater('setApiKey', async () => (await import('./setApiKey')).setApiKey),
    addSelection,
    addFile,
    loadedLater('addProblems', async () => (await problemCommands()).addProblems),
    loadedLater('explain', async () => (await problemCommands()).explain),
    loadedLater('fix', async () => (await problemCommands()).fix),
    loadedLater('writeCommitMessage', async () => (await import('./writeCommitMessage')).writeCommitMessage),
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
    loadedLater('restoreCheckpoint', async () => (await rareSessions()).restoreCheckpoint),
    stopRun,
    showLog,
    loadedLater('showAuditLog', async () => (await import('./showAuditLog')).showAuditLog),
    loadedLater('editPermissionRules', async () => (await import('./editPermissionRules')).editPermissionRules),
    ...customizeCommands,
  ].map((make) => make(host));
}
