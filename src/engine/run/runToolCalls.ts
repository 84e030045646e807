import { AbortError, isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import { newId } from '../../base/newId';
import { interruptedResult } from '../messages/repairTranscript';
import type { ToolCall, ToolResult } from '../messages/toolCall';
import type { RuleOffer } from '../permissions/approvalHandler';
import { type Asking, type Authorization, authorize, authorizeTogether } from '../permissions/authorize';
import { struckResult } from '../secrets/struckMessage';
import type { OpenCall } from '../sessions/agentSession';
import { type ParsedCall, parseToolCall } from '../tools/parseToolCall';
import { recoverToolError } from '../tools/toolErrors';
import { ToolFailure } from '../tools/toolOutput';
import { Interruption, isShutDown } from './interrupts';
import { prepareCall, type PreparedCall } from './prepareCall';
import { type Authorizing, type Calling, currentRulesets, type RunPlace } from './runContext';
import { runToolCall } from './runToolCall';
import { tellCheckpoint } from './tellCheckpoint';

/** Runs the calls of an answer, concurrently if none depends on another. Stores and returns their results in the order of the calls. */
export async function runToolCalls(context: Calling, calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
  tellCheckpoint(context, 'before-tools');
  const together = calls.every(({ name }) => context.promptAndTools.tools.get(name)?.concurrent === true);
  const results = together
    ? await Promise.all(calls.map((call) => settleCall(context, call)))
    : await inOrder(context, calls);
  context.repeats.record(calls, results);
  await keep(context, results);
  if (context.signal.aborted) throw new AbortError();
  return results;
}

/**
 * Settles the calls left open by a run that was cut off: those that never began run now, those that only ask the user ask again,
 * and the others are reported as interrupted.
 */
export async function finishOpenCalls(context: Calling, open: readonly OpenCall[]): Promise<void> {
  const results: ToolResult[] = [];
  const asks = ({ name }: ToolCall) => context.promptAndTools.tools.get(name)?.traits?.kind === 'people';
  for (const { call, started } of open) {
    results.push(started && !asks(call) ? interrupted(context, call) : await settleCall(context, call));
  }
  await keep(context, results);
  if (context.signal.aborted) throw new AbortError();
}

async function inOrder(context: Calling, calls: readonly ToolCall[]): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (;;) {
    const left = calls.slice(results.length);
    const [call] = left;
    if (!call) return results;
    const edits = left.length > 1 ? await editsInARow(context, left) : [];
    results.push(...(edits.length > 1 ? await settleTogether(context, edits) : [await settleCall(context, call)]));
  }
}

/** Returns the leading edits of different files with nothing between them. They are independent, so they can be asked about together. */
async function editsInARow(context: RunPlace, calls: readonly ToolCall[]): Promise<ToolCall[]> {
  const { promptAndTools, ports, workspace } = context;
  const seen = new Set<string>();
  const edits: ToolCall[] = [];
  for (const call of calls) {
    const parsed = parseToolCall(call, promptAndTools.tools);
    if (parsed instanceof Error || !parsed.bound.preview) break;
    // Compares real paths, however they are written. A path that does not exist fails when its call runs.
    const real = (path: string) => ports.files.realPath(ports.paths.resolve(workspace, path)).catch(() => path);
    const paths = await Promise.all((parsed.bound.permission.paths ?? []).map(real));
    if (paths.some((path) => seen.has(path))) break;
    for (const path of paths) seen.add(path);
    edits.push(call);
  }
  return edits;
}

/** Asks about all of the calls, then runs each in order as soon as it is decided. */
async function settleTogether(context: Calling, calls: readonly ToolCall[]): Promise<ToolResult[]> {
  const prepared = calls.map((call) => prepare(context, call));
  // Those that cannot be previewed are not asked about with the others; they fail or are asked about when it is their turn.
  const ready = (await Promise.allSettled(prepared)).flatMap((one) =>
    one.status === 'fulfilled' && !one.value.failure ? [one.value] : [],
  );
  const answers = authorizeCalls(context, ready);
  const results: ToolResult[] = [];
  for (const [at, call] of calls.entries()) {
    const index = ready.findIndex((one) => one.call === call);
    const run = async () => {
      const one = (await prepared[at]) ?? (await prepare(context, call));
      return runToolCall(context, one, (await answers[index]) ?? (await authorizeCall(context, one)));
    };
    results.push(await settleBy(context, call, run));
  }
  return results;
}

/** Takes a call to its result, whatever happens on the way. */
export function settleCall(context: Calling, call: ToolCall): Promise<ToolResult> {
  return settleBy(context, call, async () => {
    const one = await prepare(context, call);
    return runToolCall(context, one, await authorizeCall(context, one));
  });
}

async function prepare(context: Calling, call: ToolCall): Promise<PreparedCall> {
  // A skill that was just unloaded took its tools with it.
  await context.promptAndTools.refresh();
  const parsed = parseRepeatable(context, call);
  if (!(parsed instanceof Error)) return prepareCall(context, call, parsed);
  const { emitter } = context;
  emitter.emit({ type: 'tool-prepared', callId: call.id, tool: call.name, category: 'agent', title: call.name });
  throw parsed;
}

/** Returns the failure for a listed tool whose skill is not loaded. */
function lockedCall(promptAndTools: RunPlace['promptAndTools'], { name }: ToolCall): ToolFailure | undefined {
  const skills = promptAndTools.lockedBy(name);
  if (skills.length === 0) return undefined;
  const text = `${name} comes with the skill ${skills.join(' or ')}, which is not loaded. Load it with skill__load first.`;
  return new ToolFailure('failed', text);
}

function parseRepeatable({ promptAndTools, repeats }: Calling, call: ToolCall): ParsedCall | ToolFailure {
  const parsed = lockedCall(promptAndTools, call) ?? parseToolCall(call, promptAndTools.tools);
  const waits = !(parsed instanceof Error) && parsed.tool.waits === true;
  const alert = repeats.check(call, { waits });
  return alert === null ? parsed : new ToolFailure('failed', alert, true);
}

async function settleBy(context: RunPlace, call: ToolCall, run: () => Promise<ToolResult>): Promise<ToolResult> {
  const done = await attempt(context, call, run);
  const { strike } = context.ports;
  const result = strike ? struckResult(done, strike) : done;
  context.emitter.emit({ type: 'tool-finished', result });
  return result;
}

async function attempt(
  { ports, signal, progress }: RunPlace,
  call: ToolCall,
  run: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const began = ports.clock.now();
  const elapsed = () => ports.clock.now() - began;
  if (signal.aborted) return interruptedResult(call, stoppedText(signal, ' before it began'));
  if (progress.stopped) return interruptedResult(call, 'Not started, because an earlier call stopped the run.');
  try {
    return await run();
  } catch (error) {
    if (!isAbort(error)) return recoverToolError(call, error, elapsed(), ports.log);
    return { ...interruptedResult(call, stoppedText(signal, ' while it ran')), durationMs: elapsed() };
  }
}

/** Gives every call without a result one that says why, including calls that an earlier run had begun. */
export async function endOpenCalls(context: RunPlace, why: Interruption): Promise<void> {
  const open = context.session.openCalls();
  const text = why.text(' before it began');
  if (open.length > 0)
    await keep(
      context,
      open.map(({ call, started }) => interrupted(context, call, started ? CUT_OFF : text)),
    );
}

function stoppedText({ reason }: AbortSignal, when: string): string {
  return reason instanceof Interruption ? reason.text(when) : `Canceled by the user${when}.`;
}

const CUT_OFF = 'Interrupted while it ran; it may have had an effect. Look before doing it again.';

function interrupted(context: RunPlace, call: ToolCall, text = CUT_OFF): ToolResult {
  const result = interruptedResult(call, text);
  context.emitter.emit({ type: 'tool-finished', result });
  return result;
}

async function keep(context: RunPlace, results: ToolResult[]): Promise<void> {
  const { session, ports, signal } = context;
  // Calls without a result run, or are asked about again, when the session continues.
  if (isShutDown(signal)) return;
  await session.add({ role: 'tool', id: newId('message'), time: ports.clock.now(), results });
  tellCheckpoint(context, 'after-tools');
}

/** Decides about one call: by the rules, or by asking the user. */
function authorizeCall(context: Authorizing, prepared: PreparedCall): Promise<Authorization> {
  const { question, authorizer } = askingOf(context, prepared);
  return authorize(question, authorizer, context.signal);
}

/** Decides about several calls, whose questions are asked at the same time. */
function authorizeCalls(context: Authorizing, prepared: readonly PreparedCall[]): readonly Promise<Authorization>[] {
  const all = prepared.map((one) => askingOf(context, one));
  return authorizeTogether(all, context.approvalTurns, context.signal);
}

function askingOf(context: Authorizing, { question }: PreparedCall): Asking {
  const { emitter, onAsking } = context;
  return {
    question,
    authorizer: {
      policy: context.policy,
      rulesets: () => currentRulesets(context, question),
      handler: context.approvals,
      turns: context.approvalTurns,
      strike: context.ports.strike,
      remember: (offer) => rememberRules(context, offer),
      onDecision: (decision) => context.audit.record(context.runId, question, decision),
      onRequest: (request) => {
        emitter.emit({ type: 'state-changed', state: 'waiting-for-approval' });
        emitter.emit({ type: 'approval-requested', request });
        onAsking?.(true);
      },
      onAnswer: (request, answer) => {
        emitter.emit({ type: 'approval-answered', requestId: request.id, answer });
        onAsking?.(false);
      },
    },
  };
}

/** If the rules cannot be saved, the user is told and the approval applies to this call only, since they did allow it. */
async function rememberRules(context: Authorizing, { scope, rules, label }: RuleOffer): Promise<void> {
  const { root, permissions, workspace, emitter } = context;
  try {
    if (scope !== 'session') await permissions.add(scope, workspace, rules);
    else for (const rule of rules) await root.session.addRule(rule);
  } catch (error) {
    const text = `“Always allow ${label}” could not be saved, so you will be asked again. ${errorText(error)}`;
    emitter.emit({ type: 'notice', level: 'warning', text });
  }
}
