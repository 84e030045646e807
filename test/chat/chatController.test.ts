import assert from 'node:assert/strict';
import { AbortError } from '../../src/base/abort';
import { ChatController, runHandlers } from '../../src/chat/chatController';
import type { LiveChat } from '../../src/chat/liveChat';
import { HostClient, type HostMessage } from '../../src/protocol/hostClient';
import { until } from '../editor/until';
import { linkedPorts } from '../protocol/linkedPorts';
import { plainHandlers } from '../protocol/plainHandlers';
import { chatsOf } from '../support/chatsOf';
import { type EngineWorld, type WorldOptions, withWorld } from '../support/engineWorld';

interface Panel {
  world: EngineWorld;
  controller: ChatController;
  client: HostClient;
  received: HostMessage[];
  open: (sessionId?: string) => Promise<LiveChat>;
}

/** Runs `use` with a panel that shows chats of a world. */
function withPanel(options: WorldOptions, use: (panel: Panel) => Promise<void>): Promise<void> {
  return withWorld(options, async (world) => {
    const chats = chatsOf(world);
    const [hostPort, panelPort] = linkedPorts();
    const problems: string[] = [];
    const log = { info: () => undefined, warn: () => undefined, error: (text: string) => void problems.push(text) };
    const controller = new ChatController(
      hostPort,
      (attach) => ({
        ...plainHandlers,
        ...runHandlers({ chats }),
        'chat/open': async ({ sessionId }) => attach(await chats.open(sessionId ?? world.sessionId)),
      }),
      log,
    );
    const received: HostMessage[] = [];
    const client = new HostClient(panelPort, (error) => problems.push(String(error)));
    client.onMessage((message) => received.push(message));
    const open = async (sessionId = world.sessionId) => {
      await client.request('chat/open', { sessionId });
      return chats.open(sessionId);
    };
    try {
      await use({ world, controller, client, received, open });
      assert.deepEqual(problems, []);
    } finally {
      controller.dispose();
      client.dispose();
      chats.dispose();
    }
  });
}

describe('A panel of a window', () => {
  it('gets each act of the window', () =>
    withPanel({}, async ({ controller, received, open }) => {
      const item = { kind: 'file' as const, target: 'a.ts', label: 'a.ts' };
      controller.show('s');
      controller.focusComposer();
      controller.answerWaiting('once');
      controller.goOn();
      controller.showPart('find');
      controller.addItems([item]);
      controller.offerNearby(item);
      controller.offerNearby(null);
      await open();
      assert.deepEqual(received, [
        { kind: 'show-session', sessionId: 's' },
        { kind: 'focus-composer' },
        { kind: 'answer-waiting', answer: 'once' },
        { kind: 'go-on' },
        { kind: 'show-part', part: 'find' },
        { kind: 'add-items', items: [item] },
        { kind: 'nearby', item },
        { kind: 'nearby', item: null },
      ]);
    }));

  it('gets the events of the chat it shows, and of no other one', () =>
    withPanel({}, async ({ world, controller, received, open }) => {
      const { workspace, model, approvalMode } = (await world.engine.sessions.open(world.sessionId)).metadata;
      const other = await world.engine.sessions.create({ workspace, model, approvalMode, name: null });
      const shown: string[] = [];
      controller.onShown(({ session }) => shown.push(session.id));
      let uses = 0;
      controller.onUsed(() => uses++);
      const first = await open();
      assert.equal(uses, 1);
      const second = await open(other.id);
      assert.equal(controller.chat, second);
      assert.deepEqual(shown, [first.session.id, second.session.id]);
      for (const chat of [first, second]) chat.publish([{ type: 'title-changed', title: 'A title' }]);
      await until('the title', () => received.length > 0);
      controller.dispose();
      const told = new Promise((resolve) => second.onEvents(resolve));
      second.publish([{ type: 'title-changed', title: 'Another' }]);
      await told;
      assert.deepEqual(
        [first, second].map((chat) => chat.state.title),
        ['A title', 'Another'],
      );
      assert.deepEqual(
        received.map((one) => one.kind === 'events' && [one.sessionId, ...one.events.map(({ type }) => type)]),
        [[other.id, 'title-changed']],
      );
    }));

  it('stops a single call, and the run goes on', () =>
    withPanel(
      { story: [{ call: [{ name: 'acme_deaf', arguments: {} }] }, { say: 'Done.' }] },
      async ({ world, client, open }) => {
        const { sessionId } = world;
        world.engine.registerTool({
          ...{ name: 'acme_deaf', description: 'Never ends', category: 'read', inputSchema: { type: 'object' } },
          run: (_, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new AbortError()));
            }),
        });
        const chat = await open();
        const card = () => chat.state.entries.find((entry) => entry.kind === 'tool');
        await client.request('run/start', { sessionId, text: 'go' });
        await until('the call to run', () => card()?.status === 'running');
        await client.request('run/stop-call', { sessionId, entryId: card()?.id ?? '' });
        await until('the end of the run', () => chat.state.run === null);
        assert.equal(card()?.status, 'cancelled');
      },
    ));

  it('starts, steers, stops, and resumes runs', () =>
    withPanel(
      { story: [{ say: 'One.', hold: 'first' }, { say: 'Two.' }, { say: 'Three.' }] },
      async ({ world, client, open }) => {
        const { sessionId } = world;
        const chat = await open();
        const { runId } = await client.request('run/start', { sessionId, text: 'go' });
        assert.equal(runId, world.engine.runOf(sessionId)?.id);
        await world.server.untilRequests(1);
        await client.request('run/steer', { sessionId, text: 'faster' });
        await client.request('run/steer', { sessionId, text: 'louder' });
        const waiting = () => chat.state.queued.map(({ text }) => text);
        assert.deepEqual(waiting(), ['faster', 'louder']);
        const [message] = chat.state.queued;
        const withdrawn = await client.request('run/withdraw', { sessionId, messageId: message?.id ?? '' });
        assert.equal(withdrawn?.text, 'faster');
        assert.deepEqual(waiting(), ['louder']);
        const outcome = world.engine.runOf(sessionId)?.outcome;
        await client.request('run/cancel', { sessionId });
        assert.equal((await outcome)?.kind, 'cancelled');
        await client.request('run/send-now', { sessionId });
        await until('the answer', () => chat.state.run === null && waiting().length === 0);
        const resumed = await client.request('run/resume', { sessionId });
        await until('the end of the run', () => world.engine.runOf(sessionId) === undefined);
        assert.notEqual(resumed.runId, runId);
      },
    ));
});
