import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** What the person asks it for. */
export const ASK_FOR_TICKS = 'Please tick.';
export const ASK_FOR_FLOOD = 'Please flood.';

export const TICKS = 150;
/** Longer than a frame, and no multiple of one, so that ticks come at all phases of a frame. */
const TICK_GAP_MS = 37;

export const FLOOD_BYTES = 1_000_000;
const FLOOD_CHUNKS = 1000;

/**
 * A model behind streamed Chat Completions that says when it said something: each delta of an answer to
 * `ASK_FOR_TICKS` holds `tick N at MS;`, the wall time in ms at which it was written. `ASK_FOR_FLOOD` is answered with
 * `FLOOD_BYTES` of Markdown, a thousandth each millisecond, which say `middle of the flood` and `end of the flood` where they are.
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
  // The last of both counts, because the session holds all that was asked before.
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

/** Ten times as fast as the fastest model, and yet not all of it in one frame. */
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
