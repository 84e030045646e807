import { newId } from '../../../base/newId';
import { EngineError } from '../../engineError';
import { parseToolCall } from '../../tools/parseToolCall';
import { judgedCall, verdictOn } from '../prepareCall';
import type { Authorizing } from '../runContext';
import type { PermissionCheck } from './agentLoop';

/** Returns what the rules currently decide about a call. Rejects with EngineError `invalid-input` if no such call is possible. */
export async function checkPermission(
  context: Authorizing,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<PermissionCheck> {
  const call = { id: newId('call'), name, arguments: JSON.stringify(input) };
  const parsed = parseToolCall(call, context.promptAndTools.tools);
  if (parsed instanceof Error) throw new EngineError('invalid-input', parsed.message);
  const query = await judgedCall(context, parsed.bound);
  const { action, reason } = await verdictOn(context, parsed.bound, query);
  return { action, reason };
}
