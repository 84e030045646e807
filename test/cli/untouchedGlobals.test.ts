import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inShell } from './inShell';

/** A library in the command's process: sends forms once the command is loaded, which it detects by a `beforeExit` listener being added. */
const LIBRARY = `
process.on('newListener', (name) => {
  if (name === 'beforeExit') setImmediate(() => void send());
});
async function send() {
  const url = process.env.FORMS_TO;
  await fetch(url, { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh token' }) });
  const form = new FormData();
  form.set('name', 'value of a field');
  await fetch(url, { method: 'POST', headers: new Headers({ 'x-form': 'yes' }), body: form });
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('streamed'));
      controller.close();
    },
  });
  await fetch(url, { method: 'POST', duplex: 'half', body: stream });
}
`;

/** Prints the global zod configuration of the process on exit. */
const WITNESS = `
process.on('exit', () => console.error('zod: ' + JSON.stringify(globalThis.__zod_globalConfig)));
`;

describe('The cairn process', () => {
  it('lets libraries send forms and streams as usual in Node', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn, folder }) => {
      const received: string[] = [];
      const forms = createServer((request, response) => {
        void text(request).then((body) => {
          received.push(`${request.headers['content-type'] ?? ''} ${String(request.headers['x-form'])} ${body}`);
          response.end();
        });
      }).listen(0, '127.0.0.1');
      await once(forms, 'listening');
      const address = forms.address();
      assert.ok(typeof address === 'object' && address);
      const library = join(folder, 'library.cjs');
      await writeFile(library, LIBRARY);
      try {
        const env = { NODE_OPTIONS: `--require "${library}"`, FORMS_TO: `http://127.0.0.1:${address.port}/` };
        const { status, out, err } = await cairn(['-m', 'openai:test-model', 'hi'], { env });
        assert.deepEqual([status, out], [0, 'Hello.\n'], err);
        assert.deepEqual(received.length, 3, err);
        assert.match(received[0] ?? '', /^application\/x-www-form-urlencoded;\S* undefined grant_type=refresh\+token$/);
        assert.match(received[1] ?? '', /^multipart\/form-data; \S+ yes [^]*value of a field/);
        assert.match(received[2] ?? '', / undefined streamed$/);
      } finally {
        forms.closeAllConnections();
        forms.close();
      }
    }));

  it('does not affect another copy of zod', () =>
    inShell([{ say: 'Hello.' }], async ({ cairn, folder }) => {
      const library = join(folder, 'library.cjs');
      await writeFile(library, WITNESS);
      const env = { NODE_OPTIONS: `--require "${library}"` };
      const { status, err } = await cairn(['-m', 'openai:test-model', 'hi'], { env });
      assert.equal(status, 0, err);
      assert.match(err, /^zod: \{\}$/m);
    }));
});
