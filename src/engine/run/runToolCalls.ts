import { AbortError, isAbort } from '../../base/abort';
import { newId } from '../../base/newId';
import { interruptedResult } from '../messages/repairTranscript';
import type { ToolCall } from '../messages/toolCall';
import type { ToolResult } from '../messages/toolResult';
import type { OpenCall } from '../sessions/agentSession';
import { parseToolCall } from '../tools/parseToolCall';
import { recoverToolError } from '../tools/toolErrorRecovery';
import type { RunContext } from './runContext';
import { runToolCall } from './runToolCall';
import { isShutDown } from './shutDown';

/** Runs the calls of one answer, together where all only read, and keeps their results in the order asked. */
export async function runToolCalls(context: RunContext, calls: readonly ToolCall[]): Promise<void> {
  const onlyReads = calls.every(({ name }) => context.tools.get(name)?.category === 'read');
  const results = onlyReads
    ? await Promise.all(calls.map((call) => settle(context, call)))
    : await inOrder(context, calls);
  await keep(context, results);
  if (context.signal.aborted) throw new AbortError();
}

/** What was left open by a run that was cut off: calls that never began run now, others are told as interrupted. */
export async function finishOpenCalls(context: RunContext, open: readonly OpenCall[]): Promise<void> {
  const results: ToolResult[] = [];
  for (const { call, started } of open)
    results.push(started ? interrupted(context, call) : await settle(context, call));
  await keep(context, results);
  if (context.signal.aborted) throw new AbortError();
}

async function inOrder(context: RunContext, calls: readonly ToolCall[]): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (const call of calls) results.push(await settle(context, call));
  return results;
}

/** One call to its result, whatever happens on the way. */
async function settle(context: RunContext, call: ToolCall): Promise<ToolResult> {
  const began = context.ports.clock.now();
  const result = await attempt(context, call, began);
  context.emitter.emit({ type: 'tool-finished', result });
  return result;
}

async function attempt(context: RunContext, call: ToolCall, began: number): Promise<ToolResult> {
  const { tools, ports, emitter, signal } = context;
  const elapsed = () => ports.clock.now() - began;
  if (signal.aborted) return interruptedResult(call, 'Cancelled by the user before it began.');
  const parsed = parseToolCall(call, tools);
  if (parsed instanceof Error) {
    emitter.emit({ type: 'tool-prepared', callId: call.id, tool: call.name, category: 'agent', title: call.name });
    return recoverToolError(call, parsed, elapsed(), ports.log);
  }
  try {
    return await runToolCall(context, call, parsed);
  } catch (error) {
    if (!isAbort(error)) return recoverToolError(call, error, elapsed(), ports.log);
    return { ...interruptedResult(call, 'Cancelled by the user while it ran.'), durationMs: elapsed() };
  }
}

function interrupted(context: RunContext, call: ToolCall): ToolResult {
  const text = 'Interrupted while it ran; it may have had an effect. Look before doing it again.';
  const result = interruptedResult(call, text);
  context.emitter.emit({ type: 'tool-finished', result });
  return result;
}

async function keep({ session, ports, signal }: RunContext, results: ToolResult[]): Promise<void> {
  // Calls that have no result are done, or asked for again, when the session goes on.
  if (isShutDown(signal)) return;
  await session.add({ role: 'tool', id: newId('message'), time: ports.clock.now(), results });
}
