import assert from 'node:assert/strict';
import type { LlmEvent } from '../../../../src/engine/llm/llmClient';
import { until } from '../../../editor/until';
import { freePort } from '../../../support/everythingServer';
import { startModelServer, type ModelServer } from '../../../support/modelServer/modelServer';
import type { Story } from '../../../support/modelServer/story';
import { eventsOf, failureIn, request, textIn, user } from '../support';
import { VENDORS } from './vendors';

const QUESTION = request([user('Hello')]);

for (const vendor of VENDORS) {
  describe(`A failure of ${vendor.label} (${vendor.speaks})`, () => {
    let server: ModelServer;
    const start = async (story: Story) => (server = await startModelServer(story));
    afterEach(() => server.close());
    const failure = async (key?: string) => failureIn(await eventsOf(vendor.client(server.url, key), QUESTION));

    it('without a key explains how to set one, and sends no request', async () => {
      await start([]);
      const { reason, message } = await failure('  ');
      assert.equal(reason, 'no-key');
      assert.ok(message.includes('"Cairn: Set API Key"') && message.includes(vendor.keyVariable), message);
      assert.equal(server.requests.length, 0);
    });

    it('with a rejected key names the provider and shows at most four characters of the key', async () => {
      await start([]);
      const { reason, message, status } = await failure('sk-a-very-long-secret-1234');
      assert.deepEqual([reason, status], ['auth', 401]);
      assert.match(message, new RegExp(`${vendor.label} rejected the key that ends in "1234"`));
      assert.doesNotMatch(message, /secret/);
    });

    it('with an invalid key does not send it', async () => {
      await start([]);
      const { reason, message } = await failure('two words\nand a line');
      assert.equal(reason, 'auth');
      assert.doesNotMatch(message, /two words/);
    });

    it('never repeats a key that the vendor echoes', async () => {
      const body = {
        type: 'error',
        error: { message: 'Bad things about test-key here', type: 'invalid_request_error' },
      };
      await start([{ fail: { status: 400, body } }]);
      const { reason, message } = await failure();
      assert.equal(reason, 'bad-request');
      assert.match(message, /Bad things about … here/);
    });

    it('for an unknown model names it and how to choose another', async () => {
      server = await startModelServer([], { models: ['other'] });
      const { reason, message, status } = await failure();
      assert.deepEqual([reason, status], ['unknown-model', 404]);
      assert.match(message, new RegExp(`${vendor.label} has no model "test-model".*--model`));
    });

    it('for a wrong path says that the base URL is wrong', async () => {
      await start([]);
      const wrong = vendor.client(server.url.replace('/v1', '/nowhere'));
      const { reason, message } = failureIn(await eventsOf(wrong, QUESTION));
      assert.equal(reason, 'unreachable');
      assert.match(message, /\/nowhere does not respond like.*base URL/);
    });

    it('is reported after one request, since the SDK does not retry by itself', async () => {
      const headers = { 'retry-after-ms': '1', 'x-should-retry': 'true' };
      await start([{ fail: { status: 429, headers } }, { fail: { status: 500, headers } }, { fail: 'cut-before' }]);
      const told = [await failure(), await failure(), await failure()];
      assert.deepEqual(
        told.map(({ reason }) => reason),
        ['rate-limit', 'server', 'cut-stream'],
      );
      assert.equal(server.requests.length, 3);
    });

    it('for a long rate limit says when it ends', async () => {
      await start([{ fail: { status: 429, headers: { 'retry-after': '3600' } } }]);
      const { reason, status, message } = await failure();
      assert.deepEqual([reason, status], ['rate-limit', 429]);
      assert.match(message, /Try again in about 60 minutes, or choose another model/);
    });

    it('for a conversation that is too long is distinguished from other rejections', async () => {
      await start([{ fail: { status: 400, body: vendor.overflow } }, { fail: { status: 400 } }]);
      assert.equal((await failure()).reason, 'context-overflow');
      const { reason, message } = await failure();
      assert.equal(reason, 'bad-request');
      assert.match(message, /The story says no/);
    });

    it("inside a stream is reported in the vendor's words", async () => {
      await start([{ fail: 'error-in-stream' }]);
      const { reason, message } = await failure();
      assert.equal(reason, 'server');
      assert.match(message, /It says: "The server had an error"\. Try again/);
    });

    it('for a refused connection names the address', async () => {
      await start([]);
      // The port of a closed server could go to another one.
      const url = `http://127.0.0.1:${await freePort()}/v1`;
      const { reason, message } = failureIn(await eventsOf(vendor.client(url), QUESTION));
      assert.equal(reason, 'unreachable');
      assert.match(message, /http:\/\/127\.0\.0\.1:\d+.* refused the connection/);
    });

    it('for an invalid base URL, or one with a password, says so without showing the password', async () => {
      await start([]);
      for (const url of ['user:secret', 'http://user:secret@127.0.0.1:1/v1', 'not a url']) {
        const { reason, message } = failureIn(await eventsOf(vendor.client(url), QUESTION));
        assert.equal(reason, 'unreachable');
        assert.match(message, /^The base URL of/);
        assert.doesNotMatch(message, /secret/);
      }
    });

    it('for a web page instead of an answer is not reported as a broken stream', async () => {
      await start([{ fail: 'html' }, { fail: { status: 403, body: '<html>Blocked</html>' } }]);
      for (const status of [200, 403]) {
        const told = await failure();
        assert.deepEqual([told.reason, told.status], ['unreachable', status]);
        assert.match(told.message, /answered with a web page/);
      }
    });

    it('of a proxy in between is reported as such, without its page', async () => {
      const page = '<html><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>';
      await start([{ fail: { status: 502, body: page, headers: { 'content-type': 'text/html' } } }]);
      const broken = await failure();
      assert.deepEqual([broken.reason, broken.status], ['server', 502]);
      assert.doesNotMatch(broken.message, /<h1>/);
      assert.match(broken.message, /Try again/);
    });

    for (const [fail, text] of [
      ['cut-before', ''],
      ['cut-after', 'Half a '],
      ['end-early', 'Half a '],
    ] as const) {
      it(`of a broken stream (${fail}) keeps what was received`, async () => {
        await start([{ say: 'Half a sentence', chunk: 7, fail }]);
        const events = await eventsOf(vendor.client(server.url), QUESTION);
        assert.equal(textIn(events), text);
        assert.equal(failureIn(events).reason, 'cut-stream');
      });
    }
  });

  describe(`Cancelling a request to ${vendor.label} (${vendor.speaks})`, () => {
    const cases: [string, Story][] = [
      ['while nothing was answered yet', [{ fail: 'hang' }]],
      ['in the middle of the text', [{ say: 'Some long text', hold: 'forever' }]],
    ];
    for (const [when, story] of cases) {
      it(`${when} ends the stream and closes the connection`, async () => {
        const server = await startModelServer(story);
        const controller = new AbortController();
        const events: LlmEvent[] = [];
        const reading = (async () => {
          for await (const event of vendor.client(server.url).stream(QUESTION, controller.signal)) events.push(event);
        })();
        await server.untilRequests(1);
        if (when.includes('text')) await until('some text', () => textIn(events) !== '');
        controller.abort();
        await reading;
        assert.equal(failureIn(events).reason, 'cancelled');
        await server.requests[0]?.hungUp;
        assert.equal(server.requests.length, 1);
        await server.close();
      });
    }

    it('before it started sends no request', async () => {
      const server = await startModelServer([{ say: 'No.' }]);
      const events = await eventsOf(vendor.client(server.url), QUESTION, AbortSignal.abort());
      assert.equal(failureIn(events).reason, 'cancelled');
      assert.equal(server.requests.length, 0);
      await server.close();
    });

    it('by leaving the loop also closes the connection', async () => {
      const server = await startModelServer([{ say: 'Some long text', hold: 'forever' }]);
      for await (const event of vendor.client(server.url).stream(QUESTION, new AbortController().signal)) {
        if (event.type === 'text-delta') break;
      }
      await server.requests[0]?.hungUp;
      await server.close();
    });
  });
}
