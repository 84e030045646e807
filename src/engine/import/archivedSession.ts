import { clipEnd } from '../../base/truncate';
import { titleFrom } from '../sessions/agentSession';
import { NOT_SAID, openingOf, type SessionEntry, type SessionMetadata } from '../sessions/sessionEntry';
import type { Message } from '../messages/message';
import { ArchiveMessages, type ArchivePiece } from './archiveMessages';

/** A conversation that another program kept, as far as it can be read here. */
export interface ArchivedSession {
  /** The program, as people call it. */
  tool: string;
  /** Its file there. */
  file: string;
  /** Absent: the first message names it. */
  title?: string | undefined;
  /** Absolute folder it was about, where that is known. */
  workspace?: string | undefined;
  /** Milliseconds since the epoch, of the last thing in it. */
  modifiedAt: number;
  pieces: readonly ArchivePiece[];
}

export interface ArchivePlace {
  id: string;
  /** Where it belongs that says nothing of its own folder. */
  workspace: string;
  importedAt: number;
  /** Takes secrets out of a text. */
  strike: (text: string) => string;
}

/** Begins the name under which the session keeps where it comes from. */
const OWN = 'cairn.imported';

/**
 * The session as it is kept here. Every call in it has a result and every run an end, so that nothing of it is ever carried
 * out; whoever goes on with it is asked for everything.
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

/** Each message of the person begins a run, which ends before the next one. */
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

/** That which answers next. */
function modelFrom(messages: readonly Message[], from: number): string {
  for (let at = from; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role === 'assistant') return message.model;
  }
  return 'unknown';
}
