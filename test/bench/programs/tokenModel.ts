import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Starts a model that streams Chat Completions and answers with `text`, at the given number of characters per event and events
 * per second. Prints its address when it is ready and exits when its standard input ends.
 */
export function serveTokens(text: string, charactersPerEvent: number, eventsPerSecond: number): void {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    pour(response, text, charactersPerEvent, eventsPerSecond).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}/v1`);
  });
  process.stdin.on('end', () => process.exit(0)).resume();
}

/** Writes each token as a separate event; if the machine has fallen behind, writes those that are due without delay. */
async function pour(response: ServerResponse, text: string, size: number, perSecond: number): Promise<void> {
  const began = performance.now();
  let sent = 0;
  for (let at = 0; at < text.length; at += size) {
    response.write(event({ content: text.slice(at, at + size) }));
    sent++;
    const early = (sent * 1000) / perSecond - (performance.now() - began);
    if (early > 0) await delay(Math.max(1, early));
  }
  response.write(event({}, 'stop'));
  response.end('data: [DONE]\n\n');
}

function event(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const chunk = { id: 'tokens', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'mock', choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
