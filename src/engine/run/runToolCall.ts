import { untilAborted } from '../../base/abort';
import type { ToolCall } from '../messages/toolCall';
import type { ToolResult } from '../messages/toolResult';
import type { EditedProposal, FileChange } from '../permissions/approvalHandler';
import type { Authorization } from '../permissions/authorize';
import type { WatchedEdit } from '../sessions/editWatcher';
import { withCheckpoint } from '../sessions/fileCheckpoints';
import type { PreparedCall } from './prepareCall';
import type { RunContext } from './runContext';

/** Runs a call that was decided about. Throws what the tool throws, and AbortError when cancelled. */
export async function runToolCall(
  context: RunContext,
  { call, bound, toolContext, change }: PreparedCall,
  allowed: Authorization,
): Promise<ToolResult> {
  const { emitter, ports, session, signal } = context;
  if (allowed.kind === 'refused') return refusedResult(call, allowed.text);
  const began = ports.clock.now();
  await session.toolStarted(call.id);
  emitter.emit({ type: 'state-changed', state: 'running-tool' });
  emitter.emit({ type: 'tool-started', callId: call.id });
  const approved = change && editedChange(change, allowed);
  const paths = approved ? [approved.path] : await untilAborted(bound.touches(toolContext), signal);
  const { output, stopped } = await context.stops.during(call.id, signal, async (own) => {
    const run = () => bound.run({ ...toolContext, signal: own, ...(approved && { change: approved }) });
    const work = paths.length > 0 ? watched(context, { paths, signal: own }, allowed.by, run) : run();
    return { output: await untilAborted(work, signal), stopped: own.aborted };
  });
  return {
    callId: call.id,
    name: call.name,
    status: stopped ? 'cancelled' : 'ok',
    text: output.text,
    ...(output.images && { images: [...output.images] }),
    detail: output.detail ?? null,
    durationMs: ports.clock.now() - began,
  };
}

function watched<T>(
  context: RunContext,
  { paths, signal }: Pick<WatchedEdit, 'paths' | 'signal'>,
  by: 'rule' | 'person',
  run: () => Promise<T>,
): Promise<T> {
  const { ports } = context;
  const { session, runId } = context.root;
  const reviewAfter = by === 'rule' && context.approvalMode() === 'review-after';
  const edit = { sessionId: session.id, runId, paths, reviewAfter, signal };
  return context.edits.around(edit, () => withCheckpoint(session, paths, ports, run));
}

function editedChange(change: FileChange, { contents, basedOn }: EditedProposal): FileChange {
  if (contents === undefined) return change;
  return { ...change, before: basedOn ?? change.before, after: contents, proposed: change.after };
}

function refusedResult(call: ToolCall, text: string): ToolResult {
  return { callId: call.id, name: call.name, status: 'rejected', text, detail: { kind: 'text', text }, durationMs: 0 };
}
