import { AbortError, NOT_NEEDED, throwIfAborted, untilAborted } from '../../../base/abort';
import type { LlmClient } from '../llmClient';
import type { LlmEvent } from '../llmEvent';
import type { LlmRequest } from '../llmRequest';
import type { ReplyReader } from './replyReader';
import { heardAt } from './sdkFetch';
import { settingsFailure, sdkFailure } from './sdkFailure';
import type { SdkTarget } from './sdkTarget';
import { StalledStream } from './unexpectedResponse';
import { type IdleLimit, watchIdle } from './watchIdle';

/** One request to one SDK. */
export interface ReplySource<Chunk> {
  reader: ReplyReader<Chunk>;
  /** Loads the SDK and sends the request; resolves when the answer begins. */
  open(key: string, signal: AbortSignal): Promise<OpenStream<Chunk>>;
}

/** An answer that has begun. */
export interface OpenStream<Chunk> {
  chunks: AsyncIterable<Chunk>;
  response: Response;
}

/** A client of one SDK: `newReader` translates what `open` gets, both anew for each request. */
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

/** Asks and translates. Keeps the contract of LlmClient: never throws, ends in one `finished` or `failed`. */
export async function* streamReply<Chunk>(
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
  try {
    key = (await untilAborted(target.apiKey(), signal))?.trim() ?? '';
    const failure = settingsFailure(key, target);
    if (failure) return yield { type: 'failed', failure };
    const opened = await untilAborted(source.open(key, request.signal), signal);
    phase = 'streaming';
    for await (const chunk of untilStopped(opened, target.idle, signal)) {
      // Not `yield*`, which waits for what is there already.
      for (const event of reader.read(chunk)) yield event;
    }
    over = true;
    yield* reader.finish() ?? broken(reader, sdkFailure(undefined, { target, key, phase: 'cut', signal }));
  } catch (error) {
    const ending = signal.aborted ? undefined : reader.finish();
    yield* ending ?? broken(reader, sdkFailure(error, { target, key, phase, signal }));
  } finally {
    signal.removeEventListener('abort', stop);
    // Also when the caller left the loop: the connection must not stay open.
    if (!over) request.abort();
  }
}

function* broken(reader: Pick<ReplyReader<never>, 'usage'>, failure: ReturnType<typeof sdkFailure>) {
  const usage = reader.usage();
  if (usage) yield { type: 'usage', usage } satisfies LlmEvent;
  yield { type: 'failed', failure } satisfies LlmEvent;
}

/**
 * The chunks, but rejects with AbortError at once when the signal aborts, whatever the SDK is waiting for, and with StalledStream
 * when nothing comes any more.
 */
async function* untilStopped<T>(
  { chunks, response }: OpenStream<T>,
  idle: IdleLimit | undefined,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  let reject: (error: Error) => void = () => undefined;
  let waitingSince = Date.now();
  const watch = new AbortController();
  // One listener for all chunks, of which there may be a hundred thousand.
  const stop = () => reject(new AbortError());
  signal.addEventListener('abort', stop, { once: true });
  const stalled = (seconds: number) => reject(new StalledStream(seconds));
  const watched = { waitingSince: () => waitingSince, heardAt: () => heardAt(response), onStall: stalled };
  if (idle) void watchIdle(idle, watched, watch.signal);
  try {
    for (;;) {
      throwIfAborted(signal);
      const next = await new Promise<IteratorResult<T>>((resolve, fail) => {
        reject = fail;
        waitingSince = Date.now();
        iterator.next().then(resolve, fail);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    watch.abort(NOT_NEEDED);
    signal.removeEventListener('abort', stop);
  }
}
