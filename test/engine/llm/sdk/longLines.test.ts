import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { eventsOf, failureIn, request, textIn, user } from '../support';
import { VENDORS } from './vendors';

const MB = 1024 * 1024;

/** Returns an event that contains the text in a single line, in the vendor's format. */
function oneLine(speaks: (typeof VENDORS)[number]['speaks'], text: string): string {
  const event = (data: object) => `data: ${JSON.stringify(data)}`;
  if (speaks === 'chat') return event({ choices: [{ index: 0, delta: { content: text } }] });
  if (speaks === 'responses') return event({ type: 'response.output_text.delta', delta: text });
  const delta = { type: 'text_delta', text };
  return `event: content_block_delta\n${event({ type: 'content_block_delta', index: 0, delta })}`;
}

async function withServer(answer: (response: ServerResponse) => void, use: (url: string) => Promise<void>) {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      answer(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  try {
    await use(`http://127.0.0.1:${address.port}/v1`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

for (const vendor of VENDORS) {
  describe(`A long line from ${vendor.label} (${vendor.speaks})`, function () {
    this.timeout(30_000);

    it('is rejected with the reason above the limit', () =>
      withServer(
        (response) => response.write(oneLine(vendor.speaks, 'x'.repeat(30 * MB))),
        async (url) => {
          const failure = failureIn(await eventsOf(vendor.client(url), request([user('Hi')])));
          assert.match(failure.message, /127\.0\.0\.1.*a line of more than 16 MB/);
        },
      ));

    it('is read in full below the limit', () =>
      withServer(
        (response) => response.end(`${oneLine(vendor.speaks, 'x'.repeat(15 * MB))}\n\n`),
        async (url) => {
          const events = await eventsOf(vendor.client(url), request([user('Hi')]));
          assert.equal(textIn(events).length, 15 * MB);
        },
      ));
  });
}
