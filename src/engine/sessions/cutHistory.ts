import { EngineError } from '../engineError';
import { entryOfCheckpoint } from '../events/agentEvent';
import type { SessionEntry, SessionMetadata } from './sessionEntry';

interface Whole {
  history: readonly SessionEntry[];
  metadata: SessionMetadata;
}

/** The first part of a session. */
interface CutHistory {
  entries: readonly SessionEntry[];
  /** The skills loaded at that point. */
  skills: string[];
}

/** Where a branch starts: before the message with this id, at a checkpoint, or after a finished run. */
export type BranchPlace = string | { at: string } | { after: string };

/** Returns the part of a session that a branch starts with. Throws EngineError as `SessionCatalog.branch` does. */
export function cutHistory(whole: Whole, from: BranchPlace, now: number): CutHistory {
  const { history, metadata } = whole;
  if (typeof from !== 'string') return 'at' in from ? cutAt(whole, from.at) : cutAfter(whole, from.after);
  const end = history.findIndex((entry) => entry.type === 'message' && entry.message.id === from);
  if (end < 0) throw new EngineError('not-found', `Session ${metadata.id} has no message ${from} to branch from.`);
  return { entries: beforeItsRun(history, end, now), skills: metadata.skills };
}

function cutAfter({ history, metadata }: Whole, runId: string): CutHistory {
  const last = history.findIndex((entry) => entry.type === 'run-finished' && entry.runId === runId);
  if (last < 0)
    throw new EngineError('not-found', `Session ${metadata.id} has no end of a run ${runId} to branch from.`);
  return { entries: history.slice(0, last + 1), skills: skillsBefore(history.slice(last + 1), metadata.skills) };
}

/** Leaves the run in progress as it was at the checkpoint. */
function cutAt({ history, metadata }: Whole, checkpoint: string): CutHistory {
  const entryId = entryOfCheckpoint(checkpoint);
  const last = entryId === undefined ? -1 : history.findIndex(({ id }) => id === entryId);
  if (last < 0) {
    const hint =
      'Take its id from an event of a run in this session; if that runs in another process, wait for it to end.';
    throw new EngineError('not-found', `Session ${metadata.id} has no checkpoint ${checkpoint}. ${hint}`);
  }
  const entries = history.slice(0, last + 1);
  const atWork = agentsAtWork(entries);
  if (atWork.length > 0) {
    const hint = 'Branch at a checkpoint before they were started, or after their end.';
    const text = `A session cannot start at ${checkpoint}: agents were running (${atWork.join(', ')}). ${hint}`;
    throw new EngineError('invalid-state', text);
  }
  return { entries, skills: skillsBefore(history.slice(last + 1), metadata.skills) };
}

/** Returns the agents still at work in the current run; those of earlier runs have ended. */
function agentsAtWork(entries: readonly SessionEntry[]): string[] {
  const run = entries.slice(entries.findLastIndex(({ type }) => type === 'run-started') + 1);
  const over = new Set(run.flatMap((one) => (one.type === 'agent-finished' ? [one.agentId] : [])));
  return run.flatMap((one) => (one.type === 'agent-spawned' && !over.has(one.agentId) ? [one.agentId] : []));
}

/** Reverses the skill changes made since then. */
function skillsBefore(since: readonly SessionEntry[], now: readonly string[]): string[] {
  return since.reduceRight(
    (skills, one) => {
      if (one.type === 'skill-loaded') return skills.filter((name) => name !== one.skill);
      return one.type === 'skill-unloaded' ? [...skills, one.skill] : skills;
    },
    [...now],
  );
}

/**
 * Returns the history before the run that a message started. An earlier run without an end gets one, so that the new session does
 * not resume it. Throws EngineError `invalid-state` if the message did not start a run.
 */
function beforeItsRun(history: readonly SessionEntry[], at: number, now: number): readonly SessionEntry[] {
  const lastOf = (type: SessionEntry['type'], to: number) =>
    history.slice(0, to).findLastIndex((one) => one.type === type);
  const [start, end] = [lastOf('run-started', at), lastOf('run-finished', at)];
  if (history.slice(Math.max(start, end) + 1, at).some(({ type }) => type === 'message')) {
    const hint = 'Branch from the message that the run began with, or from a later one.';
    throw new EngineError(
      'invalid-state',
      `A session cannot end in the middle of a run, where this message was sent. ${hint}`,
    );
  }
  const before = history.slice(0, start > end ? start : end + 1);
  const open = before.findLast(({ type }) => type === 'run-started' || type === 'run-finished');
  if (open?.type !== 'run-started') return before;
  const { runId } = open;
  return [...before, { type: 'run-finished', time: now, runId, outcome: { kind: 'cancelled' }, durationMs: 0 }];
}
