import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type AgentHandle, type ApprovalMode, type Engine, EngineError, type RunRequest } from '../engine';
import { checkStartRequest } from '../engine/library';

/** A run in a new session or an existing one. */
export interface StartRequest extends Omit<RunRequest, 'sessionId' | 'compacts' | 'approvalMode'> {
  input: NonNullable<RunRequest['input']>;
  /** The folder the agent works in. An existing session keeps its own. */
  workspace: string;
  /** An existing session to continue. */
  sessionId?: string;
  /** What requires approval. Default for a new session: edits and commands. */
  approvalMode?: ApprovalMode;
}

/**
 * Starts a run, in a new session unless one is named. Rejects with EngineError `not-found`, `not-directory`, `invalid-input` or
 * `invalid-state`.
 */
export async function startRun(engine: Engine, request: StartRequest): Promise<AgentHandle> {
  checkStartRequest(request);
  const { workspace: named, sessionId, approvalMode = 'edits-and-commands', ...run } = request;
  const { agent = null, role = null, model = null } = run;
  const opened = async () => {
    if (sessionId !== undefined) return engine.sessions.open(sessionId);
    const workspace = await folderAt(named);
    return engine.sessions.create({ workspace, model, name: null, agent, role, approvalMode });
  };
  const session = await opened();
  return engine.run({
    ...run,
    sessionId: session.id,
    ...(request.approvalMode !== undefined && { approvalMode: request.approvalMode }),
  });
}

async function folderAt(workspace: unknown): Promise<string> {
  if (typeof workspace !== 'string')
    throw new EngineError('invalid-input', 'A run needs a workspace. Pass its folder.');
  const folder = resolve(workspace);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return folder;
  const what = found ? 'is a file' : 'is not there';
  throw new EngineError(found ? 'not-directory' : 'not-found', `The workspace ${folder} ${what}. Pass a folder.`);
}
