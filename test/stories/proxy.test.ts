import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { story } from '../editor/story';

describe('A proxy that requires a password', () => {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    const refusal = 'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="office"';
    socket.end(`${refusal}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  });
  before(() => new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve)));
  after(() => new Promise((resolve) => proxy.close(resolve)));

  story(
    'is reported in the chat with the setting for it',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      env: { OPENAI_BASE_URL: 'https://models.example/v1', OPENAI_API_KEY: 'test-key' },
    },
    async ({ panel, window }) => {
      const address = proxy.address();
      assert.ok(address !== null && typeof address === 'object');
      await window.setSetting('http.proxy', `http://127.0.0.1:${address.port}`);
      await panel.open();
      await panel.send('hello');
      const notice = await panel.waitForText('407', 'notice');
      assert.ok(asked.includes('models.example:443'));
      const named = `The proxy http://127.0.0.1:${address.port} on the way to https://models.example requires a user name`;
      assert.ok(notice.text.includes(named), notice.text);
      assert.match(notice.text, /"http\.proxy"/);
    },
  );
});
