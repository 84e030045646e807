import { AbortError, throwIfAborted, untilAborted } from '../../base/abort';
import { Deferred } from '../../base/async';
import { setAlarm } from '../alarm';
import { isBelow } from '../content/contentRoots';
import type { ToolCall, ToolResult } from '../messages/toolCall';
import type { EditedProposal, FileChange } from '../permissions/approvalHandler';
import type { Authorization } from '../permissions/authorize';
import type { ResolvedQuery } from '../permissions/permissionRule';
import type { Clock } from '../ports';
import { type CheckpointPlan, planCheckpoint, type WatchedEdit, withCheckpoint } from '../sessions/fileCheckpoints';
import type { BoundCall } from '../tools/tool';
import { ToolFailure } from '../tools/toolOutput';
import { judgedCall, type PreparedCall } from './prepareCall';
import type { Authorizing, Calling, RunPlace } from './runContext';

/** How long the end of a run waits for a file change in progress. */
const FINISH_MS = 5000;
/** The same for any other call; longer than it takes to kill a command's processes. */
const LET_GO_MS = 3000;

/**
 * Runs a call after the decision about it. Throws what the tool throws, and AbortError when canceled. A call that has begun by
 * then is waited for, and a file change is reported as what it turned out to be.
 */
export async function runToolCall(
  context: Calling,
  prepared: PreparedCall,
  allowed: Authorization,
): Promise<ToolResult> {
  const { emitter, session, sent } = context;
  const { call, bound, change, failure } = prepared;
  if (allowed.kind === 'refused') return refusedResult(call, allowed.text + (await meantText(context, prepared)));
  if (failure) throw allowed.by === 'person' ? failure.told : failure.untold;
  // It was denied when first judged and so never previewed, which means no one has seen what it would do.
  if (bound.preview && !change) throw new ToolFailure('failed', 'What is allowed has just changed. Call it again.');
  const began = context.ports.clock.now();
  // Calls that only read are checked again right before they run.
  if (bound.permission.category !== 'read') await checkStillJudged(context, prepared);
  await session.toolStarted(call.id);
  emitter.emit({ type: 'state-changed', state: 'running-tool' });
  // Set up first, because a listener may have the result as soon as it sees the start.
  if (bound.answersLater) sent.expect(call.id);
  try {
    emitter.emit({ type: 'tool-started', callId: call.id });
    return await startedCall(context, prepared, allowed, began);
  } finally {
    if (bound.answersLater) sent.close(call.id);
  }
}

/** `began`: milliseconds since the epoch. */
async function startedCall(
  context: Calling,
  prepared: PreparedCall,
  allowed: Extract<Authorization, { kind: 'allowed' }>,
  began: number,
): Promise<ToolResult> {
  const { ports, session, signal } = context;
  const { call, bound, toolContext, change } = prepared;
  const approved = change && editedChange(change, allowed);
  const touched = approved ? [approved.path] : await untilAborted(bound.touches(toolContext), signal);
  const changes = changedFiles(context, bound, touched);
  const placeOf = (path: string) => placeAsJudged(context, prepared, path);
  const edit = { touched, placeOf, changes, by: allowed.by };
  const { output, stopped } = await again(context, call, (own, whole) => {
    const run = async () => {
      const judged = approved && { change: approved, judgedPath: await placeOf(approved.path) };
      await checkStillJudged(context, prepared);
      throwIfAborted(own);
      return bound.run({ ...toolContext, signal: own, ...judged });
    };
    return carryOut(context, { ...edit, signal: own }, whole, run);
  });
  // What a call read is shown to the model only with the results of all calls of its answer. What it wrote, the model already
  // knows.
  if (output.seen && bound.permission.category === 'write') session.seen.learn(output.seen);
  return {
    callId: call.id,
    name: call.name,
    status: stopped ? 'cancelled' : 'ok',
    text: output.text,
    ...(output.images && { images: [...output.images] }),
    detail: output.detail ?? null,
    durationMs: ports.clock.now() - began,
    ...(output.seen && { seen: output.seen }),
  };
}

type CallWork<T> = (own: AbortSignal, whole: AbortSignal) => Promise<T>;

/** Runs the call once, or as often as the program's error recovery asks. */
async function again<T>(context: Calling, call: ToolCall, work: CallWork<T>): Promise<T> {
  const { signal, ports, promptAndTools, toolErrors, stops } = context;
  const { timeoutMs } = promptAndTools.tools.get(call.name) ?? {};
  const once = () => stops.during({ callId: call.id, signal, clock: ports.clock, timeoutMs }, work);
  if (!toolErrors) return once();
  const { recovered } = await import('./recovered');
  return recovered(context, call, toolErrors, once);
}

async function carryOut<T>(
  context: Calling,
  edit: Edit,
  whole: AbortSignal,
  run: () => Promise<T>,
): Promise<{ output: T; stopped: boolean }> {
  if (edit.changes.length > 0) return { output: await changeFiles(context, edit, run), stopped: false };
  try {
    return { output: await finished(run(), whole, context.ports.clock, LET_GO_MS), stopped: edit.signal.aborted };
  } catch (error) {
    // What a tool throws because the run is ending says nothing about the tool.
    throwIfAborted(whole);
    throw error;
  }
}

/** Throws if a path now resolves elsewhere than when the call was decided about, for example because a folder was replaced by a link. */
async function checkStillJudged(context: Authorizing, { bound, question }: PreparedCall): Promise<void> {
  const before = judgedPaths(question.query);
  if (before.length === 0) return;
  const now = judgedPaths(await judgedCall(context, bound));
  const moved = now.find((path, at) => path !== before[at]);
  if (moved === undefined) return;
  const text = `A path of this call now leads to ${moved}, which is not what was approved; nothing was done. Call it again.`;
  throw new ToolFailure('failed', text);
}

/** Paths that may be judged as another one outside the workspace: on another computer, or back out of a link. */
const JUDGED_OTHERWISE = /^[/\\]{2}|\.\./;

/** Returns the real path of a file that was judged as the path of the call, or as below it. */
async function placeAsJudged({ ports, workspace }: Authorizing, prepared: PreparedCall, file: string): Promise<string> {
  const { paths, files } = ports;
  const judged = prepared.question.query.paths;
  for (const [at, written] of (prepared.bound.permission.paths ?? []).entries()) {
    const path = paths.resolve(workspace, written);
    const found = judged[at];
    if (!found || !isBelow(file, path, paths) || (found.outside && JUDGED_OTHERWISE.test(written))) continue;
    return paths.resolve(found.path, paths.relative(path, file));
  }
  return files.realPath(file);
}

function judgedPaths({ paths, command }: ResolvedQuery): string[] {
  const opened = command?.parts.flatMap(({ files }) => files.flatMap((file) => file.paths ?? [])) ?? [];
  return [...paths, ...opened].map(({ path }) => path);
}

/** Returns the files a call checkpoints, plus those that a writing tool names. Each of them is changed by one call at a time. */
function changedFiles({ ports, workspace }: RunPlace, { permission }: BoundCall, touched: readonly string[]): string[] {
  const named = permission.category === 'write' ? (permission.paths ?? []) : [];
  return [...new Set([...touched, ...named.map((path) => ports.paths.resolve(workspace, path))])];
}

interface Edit extends Pick<WatchedEdit, 'signal'> {
  touched: readonly string[];
  /** Returns the real path that was judged. */
  readonly placeOf: (path: string) => Promise<string>;
  /** Including other files it may change. */
  changes: readonly string[];
  by: 'rule' | 'person';
}

/** Runs a change once it is its turn among all calls that change the same files, with a checkpoint of their state before it. */
async function changeFiles<T>(context: Calling, edit: Edit, run: () => Promise<T>): Promise<T> {
  const { ports, signal } = context;
  const work = ports.files.inTurn(edit.changes, () => watched(context, edit, run), edit.signal);
  return finished(work, signal, ports.clock, FINISH_MS);
}

/** Waits for the work; after the signal aborts, only for a limited time. */
async function finished<T>(work: Promise<T>, signal: AbortSignal, clock: Clock, withinMs: number): Promise<T> {
  try {
    return await untilAborted(work, signal);
  } catch {
    // Work that failed or was still queued has ended by now; work that has begun is waited for.
    return await withinTime(work, clock, withinMs);
  }
}

/** Rejects with AbortError if it takes too long. The work then continues, but no one waits for it. */
async function withinTime<T>(work: Promise<T>, clock: Clock, ms: number): Promise<T> {
  const late = new Deferred<never>();
  const alarm = setAlarm(clock, ms, () => late.reject(new AbortError()));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    alarm.dispose();
  }
}

async function watched<T>(context: Calling, { touched, placeOf, signal, by }: Edit, run: () => Promise<T>): Promise<T> {
  if (touched.length === 0) return run();
  const { ports } = context;
  const { session, runId } = context.root;
  const reviewAfter = by === 'rule' && context.approvalMode() === 'review-after';
  const plan = await planCheckpoint(touched, ports.files);
  tellNotKept(context, plan);
  const edit = { sessionId: session.id, runId, paths: plan.kept, reviewAfter, signal };
  return context.edits.around(edit, () => withCheckpoint(session, plan, { ...ports, placeOf }, run));
}

/** Warns the user, so that no one relies on a copy that does not exist. */
function tellNotKept({ emitter, ports, workspace }: RunPlace, { notKept }: CheckpointPlan): void {
  const [first, ...others] = notKept;
  if (first === undefined) return;
  const shown = ports.paths.relative(workspace, first);
  const what = others.length === 0 ? shown : `${shown} and at least ${others.length} more`;
  const where = ports.files.trash ? ' Look for them in the trash.' : '';
  const text = `Too large or too many to keep a copy: ${what}. “Restore Files” cannot bring them back.${where}`;
  emitter.emit({ type: 'notice', level: 'warning', text });
}

function editedChange(change: FileChange, { contents, basedOn }: EditedProposal): FileChange {
  if (contents === undefined) return change;
  return { ...change, before: basedOn ?? change.before, after: contents, proposed: change.after };
}

/** Suggests a path in the workspace when access outside it is rejected, whatever exists outside. */
async function meantText({ ports, workspace }: RunPlace, { bound, question }: PreparedCall): Promise<string> {
  if (!question.query.paths.some(({ outside }) => outside)) return '';
  const { meantInWorkspace } = await import('../tools/files/pathAdvice');
  for (const path of bound.permission.paths ?? []) {
    const meant = await meantInWorkspace(ports.files, ports.paths, workspace, path);
    if (meant !== undefined) return ` Did you mean ${meant}, in the workspace?`;
  }
  return '';
}

function refusedResult(call: ToolCall, text: string): ToolResult {
  return { callId: call.id, name: call.name, status: 'rejected', text, detail: { kind: 'text', text }, durationMs: 0 };
}
