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
  /** Does what was wrapped. Rejects as the tool does. */
  readonly next: () => Promise<ToolOutput>;
}

/**
 * Stands around each call of a tool: it may do something before and after, call `next` again, give another output, or give one
 * without calling `next`. What it throws is told to the model as what the tool throws. What a call is, what it would touch
 * and whether it is asked about stay as they are.
 */
export type ToolWrapper = (call: WrappedCall) => Promise<string | ToolOutput>;

/** `isThere`: false once the wrapper was taken back, also in runs that know it. */
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
  // Cut by the tool itself, which said where the whole is.
  if (own && given === own) return own;
  if (!isOutput(given)) {
    throw new ToolFailure('failed', `The wrapper of ${tool} returned no result. Try another way.`);
  }
  return shortenedOutput(typeof given === 'string' ? { text: given } : given, context);
}

/** What plain JavaScript gives may be anything. */
function isOutput(value: unknown): boolean {
  return typeof value === 'string' || (isRecord(value) && typeof value['text'] === 'string');
}
