import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The message that makes the model emit ticks. */
export const ASK_FOR_TICKS = 'Please tick.';
export const ASK_FOR_FLOOD = 'Please flood.';

export const TICKS = 150;
/** Longer than a frame and not a multiple of one, so that ticks arrive at every phase of a frame. */
const TICK_GAP_MS = 37;

export const FLOOD_BYTES = 1_000_000;
const FLOOD_CHUNKS = 1000;

/**
 * A model that streams Chat Completions and states when it wrote each piece: each delta of an answer to `ASK_FOR_TICKS` contains
 * `tick N at MS;`, the wall-clock time in ms at which it was written. It answers `ASK_FOR_FLOOD` with `FLOOD_BYTES` of Markdown,
 * a thousandth per millisecond, with `middle of the flood` and `end of the flood` at those places.
 */
export class TimedModel {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<TimedModel> {
    const server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TimedModel(server);
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address !== 'object') throw new Error('The model has no address.');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
  const asked = Buffer.concat(parts).toString();
  if (request.method !== 'POST') {
    response.writeHead(404).end();
    return;
  }
  response.socket?.setNoDelay(true);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (content: string): unknown => response.write(event({ content }));
  // The later of the two counts, because the session contains all earlier messages.
  if (asked.lastIndexOf(ASK_FOR_FLOOD) > asked.lastIndexOf(ASK_FOR_TICKS)) await pour(say);
  else if (asked.includes(ASK_FOR_TICKS)) await tick(say);
  else say('Hello.');
  response.write(event({}, 'stop'));
  response.end('data: [DONE]\n\n');
}

async function tick(say: (text: string) => void): Promise<void> {
  for (let index = 0; index < TICKS; index++) {
    await delay(TICK_GAP_MS);
    const now = performance.timeOrigin + performance.now();
    say(`tick ${index} at ${now.toFixed(1)};${index % 20 === 19 ? '\n\n' : ' '}`);
  }
}

/** Ten times as fast as the fastest model, but still spread over several frames. */
async function pour(say: (text: string) => void): Promise<void> {
  for (const chunk of flood()) {
    say(chunk);
    await delay(1);
  }
}

function flood(): string[] {
  const size = FLOOD_BYTES / FLOOD_CHUNKS;
  return Array.from({ length: FLOOD_CHUNKS }, (_, index) => {
    const mark =
      index === FLOOD_CHUNKS / 2 ? 'middle of the flood' : index === FLOOD_CHUNKS - 1 ? 'end of the flood' : '';
    const head = `## Part ${index}\n\n${mark} `;
    const words = 'A sentence with `code` and **weight**, as answers have them. '.repeat(40);
    return `${head}${words.slice(0, size - head.length - 2)}\n\n`;
  });
}

function event(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const chunk = { id: 'timed', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'mock', choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
