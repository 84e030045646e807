import { isRecord } from '../../../base/isRecord';
import type { AnyTool, BoundCall } from '../tool';
import type { ToolContext } from '../toolContext';
import { ToolFailure } from '../toolFailure';
import type { ToolOutput } from '../toolOutput';
import { type PluginToolContext, shortenedOutput } from './pluginTool';

/** One call of a wrapped tool, after it was allowed. */
export interface WrappedCall {
  readonly tool: string;
  /** As the tool takes it, and as it was judged. */
  readonly input: unknown;
  readonly context: PluginToolContext;
  /** Runs the wrapped tool. Rejects like the tool. */
  readonly next: () => Promise<ToolOutput>;
}

/**
 * Wraps each call of a tool: it may do something before and after, call `next` again, return a different output, or return one
 * without calling `next`. What it throws is reported to the model like an error of the tool. It cannot change the call's input,
 * what the call would touch, or whether the user is asked.
 */
export type ToolWrapper = (call: WrappedCall) => Promise<string | ToolOutput>;

/** `isThere`: returns false once the wrapper was removed, also in runs that know it. */
export function wrappedTool(tool: AnyTool, wrapper: ToolWrapper, isThere: () => boolean): AnyTool {
  return {
    ...tool,
    bind(input) {
      const bound = tool.bind(input);
      if (!bound.ok || !isThere()) return bound;
      const { call } = bound;
      return { ok: true, call: { ...call, run: (context) => around(tool.name, call, wrapper, context) } };
    },
  };
}

async function around(tool: string, call: BoundCall, wrapper: ToolWrapper, context: ToolContext): Promise<ToolOutput> {
  let own: ToolOutput | undefined;
  const next = async () => (own = await call.run(context));
  const given = await wrapper({ tool, input: call.input, context, next });
  // The tool itself has cut it, and said where to find all of it.
  if (own && given === own) return own;
  if (!isOutput(given)) {
    throw new ToolFailure('failed', `The wrapper of ${tool} returned no result. Try another way.`);
  }
  return shortenedOutput(typeof given === 'string' ? { text: given } : given, context);
}

/** Plain JavaScript may return anything. */
function isOutput(value: unknown): boolean {
  return typeof value === 'string' || (isRecord(value) && typeof value['text'] === 'string');
}
