import { setImmediate } from 'node:timers/promises';
import type { Fetch } from '../../../engine';
import { limitedFetch, MAX_MESSAGE_BYTES } from '../limitedFetch';
import { Coalescer } from './coalescer';
import type { Id, IncomingMessages, Message, MessageSink } from './incomingMessages';
import { LineReader } from './lineReader';

interface ScreeningParts {
  incoming: IncomingMessages;
  /** Whether the response to a request contains its answer, instead of a stream that is open all the time. */
  isAnswered: boolean;
  /** Called for a message that is too large; its response fails. */
  onTooMuch: () => void;
}

const JSON_RESPONSE = { headers: { 'content-type': 'application/json' } };

/** Checks the messages in a server's responses, and their size. */
export function screenedFetch(fetch: Fetch, { incoming, isAnswered, onTooMuch }: ScreeningParts): Fetch {
  const limited = limitedFetch(fetch, onTooMuch);
  return async (input, init) => {
    const own = incoming.sent(parsed(init?.body));
    try {
      const response = await limited(input, init);
      if (isAnswered && own.length > 0 && response.status === 202) return await unanswered(response, incoming, own);
      const screened = await screen(response, incoming, own);
      if (!response.ok) incoming.forget(own);
      return screened;
    } catch (error) {
      incoming.forget(own);
      throw error;
    }
  };
}

/** The SDK would wait for the answer to come in another way. */
async function unanswered({ body }: Response, incoming: IncomingMessages, own: readonly Id[]): Promise<Response> {
  await body?.cancel();
  return answers(own, (sink) => incoming.ended(sink, 'without a result, only with the status 202'), JSON_RESPONSE);
}

/** Returns a response of the messages that `fill` passes on. */
function answers(own: readonly Id[], fill: (sink: MessageSink) => void, like: ResponseInit): Response {
  const messages: Message[] = [];
  const sink = sinkFor((message) => messages.push(message), own);
  fill(sink);
  return new Response(JSON.stringify(messages), like);
}

function parsed(body: unknown): unknown {
  return typeof body === 'string' ? JSON.parse(body) : undefined;
}

async function screen(response: Response, incoming: IncomingMessages, own: readonly Id[]): Promise<Response> {
  const { body, ok, status, statusText, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (!ok || body === null) return response;
  const like = { status, statusText, headers: [...headers] };
  const pieces: ReadableStream<Uint8Array> = body;
  if (/^\s*text\/event-stream\b/i.test(type)) {
    return new Response(pieces.pipeThrough(screenedEvents(incoming, own)), like);
  }
  if (own.length === 0 || !/^\s*application\/json\b/i.test(type)) return response;
  const text = await response.text();
  const fill = (sink: MessageSink) => {
    incoming.heard(text, sink);
    sink.latest.end();
    incoming.ended(sink, 'to something else');
  };
  return answers(own, fill, like);
}

function sinkFor(pass: (message: Message) => void, own: readonly Id[]): MessageSink {
  return { pass, latest: new Coalescer(pass), own };
}

/** Checks each event of a stream. Everything about it except its data stays as it is. */
function screenedEvents(incoming: IncomingMessages, own: readonly Id[]) {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const reader = new LineReader(MAX_MESSAGE_BYTES);
  let lines: string[] = [];
  let canResume = false;
  let write: (text: string) => void = () => undefined;
  const sink = sinkFor((message) => write(`data: ${JSON.stringify(message)}\n\n`), own);
  const event = () => {
    const { text, isMessage, kept } = parsedEvent(lines);
    canResume ||= kept.some((line) => line.startsWith('id:'));
    if (!isMessage) write(`${lines.join('\n')}\n\n`);
    else {
      incoming.heard(text, sink);
      // In an event of their own, because the message may have been dropped, or become several.
      if (kept.length > 0) write(`${kept.join('\n')}\ndata:\n\n`);
    }
    lines = [];
  };
  const read = (text: string) => {
    // Longer lines do not get here: the response is limited.
    for (const line of reader.read(text) ?? []) {
      if (line !== '') lines.push(line);
      else if (lines.length > 0) event();
    }
  };
  return new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      write = (text) => {
        try {
          controller.enqueue(encoder.encode(text));
        } catch {
          // The SDK has stopped reading, so nobody waits for this.
        }
      };
    },
    async transform(piece) {
      read(decoder.decode(piece, { stream: true }));
      // A server that sends without end would otherwise delay everything else.
      await setImmediate();
    },
    flush() {
      sink.latest.end();
      // A stream with ids is continued on another connection.
      if (!canResume) incoming.ended(sink, 'that ends too early');
    },
  });
}

/** Returns the data of an event, whether it is a message, and its lines that concern the stream. */
function parsedEvent(lines: readonly string[]) {
  const text = lines.flatMap((line) => /^data(?:$|: ?)([^]*)/.exec(line)?.[1] ?? []).join('\n');
  const others = lines.filter((line) => !line.startsWith('data'));
  const named = others.findLast((line) => line.startsWith('event:'));
  const kind = named?.slice('event:'.length).trim() ?? '';
  const isMessage = text !== '' && (kind === '' || kind === 'message');
  return { text, isMessage, kept: others.filter((line) => /^(?:id|retry):/.test(line)) };
}
