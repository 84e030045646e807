import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import * as z from 'zod';
import { attachPage } from '../../../../src/engine';
import { nodeWeb } from '../../../../src/node/web/nodeWeb';

describe('A page attached to a message', () => {
  let server: Server;
  let port = 0;
  before((done) => {
    server = createServer((request, answer) => {
      if (request.url === '/away') answer.writeHead(302, { location: `http://localhost:${port}/text` }).end();
      else if (request.url === '/gone') answer.writeHead(410, { 'content-type': 'text/plain' }).end('No more.');
      else
        answer.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(request.url === '/long' ? 40_001 : 9));
    }).listen(0, '127.0.0.1', () => {
      ({ port } = z.object({ port: z.number() }).parse(server.address()));
      done();
    });
  });
  after((done) => {
    server.closeAllConnections();
    server.close(done);
  });
  const attach = (path: string) =>
    attachPage(nodeWeb(), `http://127.0.0.1:${port}${path}`, 'notes', new AbortController().signal);

  it('may be on this machine if the user names it, but leads to no other private address', async () => {
    const page = await attach('/text');
    assert.ok(page.type === 'text');
    assert.match(page.text, /^<attached source="http:\/\/127\.0\.0\.1:\d+\/text">\nxxxxxxxxx\n<\/attached>/);
    assert.equal(page.attachment?.note, undefined);
    await assert.rejects(attach('/away'), /localhost.* is a private or local address/);
  });

  it('is cut when it is long, and rejected when the server has none', async () => {
    const page = await attach('/long');
    assert.ok(page.type === 'text');
    assert.match(page.text, /\nx{40000}\n\(the rest is left out; fetch_url gives it\)\n/);
    assert.equal(page.attachment?.note, 'The beginning of it');
    await assert.rejects(attach('/gone'), /\/gone answers with status 410\.$/);
  });
});
