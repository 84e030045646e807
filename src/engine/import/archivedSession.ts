import { clipEnd } from '../../base/truncate';
import { titleFrom } from '../sessions/agentSession';
import { NOT_SAID, openingOf, type SessionEntry, type SessionMetadata } from '../sessions/sessionEntry';
import type { Message } from '../messages/message';
import { ArchiveMessages, type ArchivePiece } from './archiveMessages';

/** A conversation of another program, as far as Cairn can read it. */
export interface ArchivedSession {
  /** Display name of the program. */
  tool: string;
  /** The program's file with the conversation. */
  file: string;
  /** Absent: derived from the first message. */
  title?: string | undefined;
  /** Absolute path of its workspace, if known. */
  workspace?: string | undefined;
  /** Milliseconds since the epoch, of the latest entry. */
  modifiedAt: number;
  pieces: readonly ArchivePiece[];
}

export interface ArchivePlace {
  id: string;
  /** Workspace of conversations that do not name their own. */
  workspace: string;
  importedAt: number;
  /** Redacts secrets in a text. */
  strike: (text: string) => string;
}

/** Key under which the session stores its origin. */
const OWN = 'cairn.imported';

/**
 * Converts a conversation to a session. Every call gets a result and every run an end, so that nothing in it is ever executed; if
 * it is continued, everything requires approval.
 */
export function sessionFromArchive(
  archive: ArchivedSession,
  { id, workspace: otherwise, importedAt, strike }: ArchivePlace,
): { metadata: SessionMetadata; entries: SessionEntry[] } {
  const workspace = archive.workspace ?? otherwise;
  const messages = new ArchiveMessages(strike).read(archive.pieces);
  const entries = runsOf(messages, workspace, archive.modifiedAt);
  const [first] = messages;
  const title = strike(archive.title ?? '').trim() || titleFrom(openingOf(messages)) || 'Without words';
  const metadata: SessionMetadata = {
    ...NOT_SAID,
    version: 1,
    id,
    name: null,
    model: null,
    workspace,
    title: clipEnd(`${titleFrom(title)} (from ${archive.tool})`, 120),
    opening: openingOf(messages),
    createdAt: first?.time ?? archive.modifiedAt,
    modifiedAt: archive.modifiedAt,
    approvalMode: 'everything',
    own: { [OWN]: { tool: archive.tool, file: archive.file, at: importedAt } },
  };
  return { metadata, entries };
}

/** Each user message starts a run, which ends before the next one. */
function runsOf(messages: readonly Message[], workspace: string, end: number): SessionEntry[] {
  const entries: SessionEntry[] = [];
  let run: { runId: string; time: number } | undefined;
  const finish = (time: number) => {
    if (!run) return;
    const outcome = { kind: 'completed' as const, answer: '' };
    entries.push({
      type: 'run-finished',
      runId: run.runId,
      time,
      outcome,
      durationMs: Math.max(0, time - run.time),
    });
    run = undefined;
  };
  messages.forEach((message, at) => {
    if (message.role === 'user' || !run) {
      finish(messages[at - 1]?.time ?? message.time);
      run = { runId: `run_imported_${at}`, time: message.time };
      const model = modelFrom(messages, at);
      entries.push({ type: 'run-started', time: message.time, runId: run.runId, model, workspace });
    }
    entries.push({ type: 'message', message });
  });
  finish(messages.at(-1)?.time ?? end);
  return entries;
}

/** Returns the model of the next answer. */
function modelFrom(messages: readonly Message[], from: number): string {
  for (let at = from; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role === 'assistant') return message.model;
  }
  return 'unknown';
}
