import * as z from '../../base/zod';
import { isAbort } from '../../base/abort';
import { safeText } from '../../base/shown/safeText';
import type { McpRequest } from './mcpConnector';

/** What the completion is for: a prompt, by name, or a URI template. */
export type CompletionOf = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };

const answer = z.looseObject({ completion: z.looseObject({ values: z.array(z.unknown()) }) });
const MAX_VALUES = 100;
const MAX_VALUE = 500;

/** Returns the server's completions for a partly typed value; empty if it offers none or fails. Rejects only with AbortError. */
export async function completeValue(
  ask: (method: McpRequest, params: Readonly<Record<string, unknown>>) => Promise<unknown>,
  ref: CompletionOf,
  argument: { name: string; value: string },
  known: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  try {
    const params = { ref, argument, context: { arguments: known } };
    const { data } = answer.safeParse(await ask('completion/complete', params));
    const values = (data?.completion.values ?? []).flatMap((one) => (typeof one === 'string' ? [one] : []));
    // Drop values whose text cannot be displayed exactly: the user could not see what they choose.
    const seen = values.filter((one) => one !== '' && one.length <= MAX_VALUE && safeText(one, 'exact') === one);
    return [...new Set(seen)].slice(0, MAX_VALUES);
  } catch (error) {
    if (isAbort(error)) throw error;
    // Many servers do not support completion; the user then types the whole value.
    return [];
  }
}
