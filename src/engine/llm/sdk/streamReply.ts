import { AbortError, throwIfAborted, untilAborted } from '../../../base/abort';
import type { Usage } from '../../messages/message';
import type { ToolCall } from '../../messages/toolCall';
import type { LlmClient, LlmEvent, LlmRequest } from '../llmClient';
import { StalledStream } from './sdkError';
import { sdkFailure, settingsFailure } from './sdkFailure';
import { heardAt } from './sdkFetch';
import { type IdleLimit, type SdkTarget, watchIdle } from './sdkTarget';

/** A request to an SDK. */
interface ReplySource<Chunk> {
  reader: ReplyReader<Chunk>;
  /** Loads the SDK and sends the request. Resolves when the response begins. */
  open(key: string, signal: AbortSignal): Promise<OpenStream<Chunk>>;
}

/** A response that has begun. */
export interface OpenStream<Chunk> {
  chunks: AsyncIterable<Chunk>;
  response: Response;
}

/** Returns a client on top of an SDK. `newReader` creates the translator for what `open` returns; both are called for each request. */
export function sdkClient<Target extends SdkTarget, Chunk>(
  target: Target,
  newReader: () => ReplyReader<Chunk>,
  open: (target: Target, request: LlmRequest, key: string, signal: AbortSignal) => Promise<OpenStream<Chunk>>,
): LlmClient {
  return {
    stream(request, signal) {
      const source: ReplySource<Chunk> = {
        reader: newReader(),
        open: (key, requestSignal) => open(target, request, key, requestSignal),
      };
      return streamReply(target, source, signal);
    },
  };
}

/**
 * Sends a request and translates the response. Keeps the LlmClient contract: never throws, and ends with exactly one `finished`
 * or `failed`.
 */
async function* streamReply<Chunk>(
  target: SdkTarget,
  source: ReplySource<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent, void, void> {
  const request = new AbortController();
  const stop = () => request.abort();
  signal.addEventListener('abort', stop, { once: true });
  const { reader } = source;
  let phase: 'opening' | 'streaming' = 'opening';
  let over = false;
  let key = '';
  let chunks: ReturnType<typeof untilStopped<Chunk>> | undefined;
  try {
    key = (await untilAborted(target.apiKey(), signal))?.trim() ?? '';
    const failure = settingsFailure(key, target);
    if (failure) return yield { type: 'failed', failure };
    const opened = await untilAborted(source.open(key, request.signal), signal);
    phase = 'streaming';
    target.answered?.add(target.baseUrl);
    chunks = untilStopped(opened, target.idle, signal);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      // Not `yield*`, which would await each event that is already available.
      for (const event of reader.read(next.value)) yield event;
    }
    over = true;
    yield* reader.finish() ?? broken(reader, sdkFailure(undefined, { target, key, phase: 'cut', signal }));
  } catch (error) {
    const ending = signal.aborted ? undefined : reader.finish();
    yield* ending ?? broken(reader, sdkFailure(error, { target, key, phase, signal }));
  } finally {
    chunks?.end();
    signal.removeEventListener('abort', stop);
    // Also when the consumer left the loop: the connection must not stay open.
    if (!over) request.abort();
  }
}

function* broken(reader: Pick<ReplyReader<never>, 'usage'>, failure: ReturnType<typeof sdkFailure>) {
  const usage = reader.usage();
  if (usage) yield { type: 'usage', usage } satisfies LlmEvent;
  yield { type: 'failed', failure } satisfies LlmEvent;
}

/**
 * Iterates over the chunks without a generator, which would add an await for each. `next` rejects with AbortError as soon as the
 * signal aborts, whatever the SDK is waiting for, and with StalledStream when nothing arrives any more. `end` stops watching for
 * both.
 */
function untilStopped<T>(
  { chunks, response }: OpenStream<T>,
  idle: IdleLimit | undefined,
  signal: AbortSignal,
): { next: () => Promise<IteratorResult<T>>; end: () => void } {
  const iterator = chunks[Symbol.asyncIterator]();
  let reject: (error: Error) => void = () => undefined;
  let waitingSince = Date.now();
  // One listener for all chunks, of which there may be a hundred thousand.
  const stop = () => reject(new AbortError());
  signal.addEventListener('abort', stop, { once: true });
  const stalled = (seconds: number) => reject(new StalledStream(seconds));
  const watched = { waitingSince: () => waitingSince, heardAt: () => heardAt(response), onStall: stalled };
  const watch = idle && watchIdle(idle, watched);
  const end = () => {
    watch?.dispose();
    signal.removeEventListener('abort', stop);
  };
  const next = () =>
    new Promise<IteratorResult<T>>((resolve, fail) => {
      throwIfAborted(signal);
      reject = fail;
      waitingSince = Date.now();
      iterator.next().then(resolve, fail);
    });
  return { next, end };
}

/** Reads a vendor's streamed answer. */
export interface ReplyReader<Chunk> {
  /** Translates a chunk into events, in order. Throws UnexpectedResponse if it is not a chunk of this vendor's format. */
  read(chunk: Chunk): Iterable<LlmEvent>;
  /** Returns the remaining events, ending in `finished`, or undefined if the model had not finished. */
  finish(): LlmEvent[] | undefined;
  /** Token counts reported so far. */
  usage(): Usage | undefined;
}

type Count = number | null | undefined;

/**
 * Builds usage from a vendor's counts; `input` includes cached tokens. Cache fields are omitted when zero. Negative counts become
 * zero, so that no answer can give back part of a limit.
 */
export function reportedUsage(counts: { input: Count; output: Count; cached?: Count; written?: Count }): Usage {
  return {
    inputTokens: count(counts.input),
    outputTokens: count(counts.output),
    ...(count(counts.cached) > 0 && { cachedInputTokens: count(counts.cached) }),
    ...(count(counts.written) > 0 && { cacheWriteTokens: count(counts.written) }),
  };
}

function count(tokens: Count): number {
  return Math.max(0, tokens ?? 0);
}

export type ToolCallEvent = Extract<LlmEvent, { type: 'tool-call' }>;

/** Builds the event of a complete call. Missing arguments become `{}`, marked with `unsaid`. */
export function toolCallEvent(call: ToolCall): ToolCallEvent {
  if (call.arguments.trim() !== '') return { type: 'tool-call', call };
  return { type: 'tool-call', call: { ...call, arguments: '{}' }, unsaid: true };
}
