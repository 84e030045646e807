import assert from 'node:assert/strict';
import { HostClient, type HostMessage } from '../../src/protocol/hostClient';
import { HostServer } from '../../src/protocol/hostServer';
import { linkedPorts } from './linkedPorts';
import { plainHandlers as handlers } from './plainHandlers';

function wired() {
  const [left, right] = linkedPorts();
  const errors: string[] = [];
  const server = new HostServer(left, handlers, (method, error) => errors.push(`${method}: ${String(error)}`));
  const client = new HostClient(right, (error) => errors.push(String(error)));
  return { client, server, errors, panelPort: right, hostPort: left };
}

describe('The wire between host and panel', () => {
  it('carries a request and its answer', async () => {
    const { client } = wired();
    assert.deepEqual(await client.request('run/start', { sessionId: 's', text: 'hi' }), { runId: 'run of hi' });
  });

  it('takes a message of one attachment without words', async () => {
    const { client } = wired();
    const items = [{ kind: 'file', label: 'a.ts', target: 'a.ts' } as const];
    assert.deepEqual(await client.request('run/start', { sessionId: 's', text: ' ', items }), { runId: 'run of  ' });
    await assert.rejects(client.request('run/start', { sessionId: 's', text: ' ', items: [] }), /empty/);
  });

  it('answers concurrent requests individually', async () => {
    const { client } = wired();
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((text) => client.request('run/start', { sessionId: 's', text })),
    );
    assert.deepEqual(
      answers.map(({ runId }) => runId),
      ['run of a', 'run of b', 'run of c'],
    );
  });

  it('turns a throwing handler into an error with its message, and logs it once', async () => {
    const { client, errors } = wired();
    await assert.rejects(client.request('session/list', {}), /The disk is full\./);
    assert.deepEqual(errors, ['session/list: Error: The disk is full.']);
  });

  const bad: [string, unknown][] = [
    ['run/start', { sessionId: 's' }],
    ['run/start', { sessionId: 's', text: '' }],
    ['run/start', null],
    ['approval/answer', { sessionId: 's', approvalId: 'a', answer: { kind: 'perhaps' } }],
    ['command/run', { command: 'workbench.action.terminal.new' }],
    ['toString', {}],
    ['__proto__', {}],
  ];
  for (const [method, params] of bad) {
    it(`rejects ${method} with ${JSON.stringify(params)}`, async () => {
      const { panelPort, hostPort } = wired();
      const answers: unknown[] = [];
      const answered = new Promise<void>((resolve) => {
        panelPort.onMessage((message) => {
          answers.push(message);
          resolve();
        });
      });
      panelPort.post({ kind: 'request', id: 7, method, params });
      await answered;
      assert.equal(JSON.stringify(answers[0]).includes('"ok":false'), true);
      assert.ok(hostPort);
    });
  }

  it('ignores foreign messages', async () => {
    const { client, panelPort, hostPort, errors } = wired();
    for (const noise of [
      null,
      3,
      'hello',
      {},
      { kind: 'request' },
      { kind: 'response', id: 99, ok: true, result: 1 },
    ]) {
      panelPort.post(noise);
      hostPort.post(noise);
    }
    assert.deepEqual(await client.request('run/start', { sessionId: 's', text: 'x' }), { runId: 'run of x' });
    assert.deepEqual(errors, []);
  });

  it('delivers events from the host', async () => {
    const { client, server } = wired();
    const heard = new Promise<HostMessage>((resolve) => client.onMessage(resolve));
    server.post({ kind: 'events', sessionId: 's', firstSeq: 1, events: [{ type: 'title-changed', title: 'T' }] });
    assert.deepEqual(await heard, {
      kind: 'events',
      sessionId: 's',
      firstSeq: 1,
      events: [{ type: 'title-changed', title: 'T' }],
    });
  });

  it('rejects pending requests when the panel is closed', async () => {
    const { client } = wired();
    const waiting = client.request('run/start', { sessionId: 's', text: 'x' });
    client.dispose();
    await assert.rejects(waiting, /The panel was closed/);
  });
});
