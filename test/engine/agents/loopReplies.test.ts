import assert from 'node:assert/strict';
import type { AgentLoop } from '../../../src/engine/run/loop/agentLoop';
import { type EngineWorld, withWorld, type WorldOptions } from '../../support/engineWorld';
import { call } from './team/teamStory';

function withLoop(loop: AgentLoop, options: WorldOptions, use: (world: EngineWorld) => Promise<void>): Promise<void> {
  return withWorld(options, (world) => {
    world.engine.registerAgent({ name: 'own', description: 'A program', loop });
    return use(world);
  });
}
const OWN = { agent: 'own' };

describe('The reply of an agent that is a program', () => {
  it('keeps what it thinks apart from what it says', () =>
    withLoop(
      (run) => {
        for (const text of ['A bird, ', 'a big one.']) run.send({ type: 'thinking-delta', text });
        for (const text of ['A ', 'heron.']) run.send({ type: 'text-delta', text });
        return Promise.resolve(undefined);
      },
      {},
      async (world) => {
        const { outcome } = await world.play('go', OWN);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'A heron.' });
        const { messages } = await (await world.restart()).engine.sessions.open(world.sessionId);
        const last = messages.at(-1);
        assert.deepEqual(last?.role === 'assistant' && last.parts, [
          { type: 'thinking', text: 'A bird, a big one.' },
          { type: 'text', text: 'A heron.' },
        ]);
      },
    ));

  it('fails the run if it cannot be saved', () =>
    withLoop(
      () => Promise.resolve('Never saved.'),
      {
        disk: (files) => ({
          ...files,
          appendLine: (path, line) =>
            line.includes('Never saved.')
              ? Promise.reject(new Error('the disk is full'))
              : files.appendLine(path, line),
        }),
      },
      async (world) => {
        const { outcome } = await world.play('go', OWN);
        assert.match(JSON.stringify(outcome), /"kind":"failed".*the disk is full/);
      },
    ));
});

describe('A program that is an agent', () => {
  it('may let its model repeat a call once the user has said something', () =>
    withLoop(
      async (run) => {
        const statuses: string[] = [];
        for (let times = 0; times < 3; times++) {
          if (times === 2) await run.receive();
          const { calls } = await run.askModel();
          for (const { status } of await run.runCalls(calls)) statuses.push(status);
          if (times === 0) await run.receive();
        }
        return statuses.join();
      },
      { story: [{ when: () => true, step: call('fs_ls') }] },
      async (world) => {
        const handle = world.run('one', OWN);
        handle.subscribe((event) => {
          if (event.type === 'tool-finished') handle.send('Look again.');
        });
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'ok,ok,ok' });
      },
    ));

  it('can ask the model again after a request that was not possible', () =>
    withLoop(
      async (run) => {
        const refused: unknown = await run.askModel({ tools: ['fly'] }).catch((error: unknown) => error);
        return `${refused instanceof Error ? refused.message : ''} ${(await run.askModel()).text}`;
      },
      { story: [{ say: 'Walk.' }] },
      async (world) => {
        const { outcome } = await world.play('go', OWN);
        assert.match(outcome.kind === 'completed' ? outcome.answer : outcome.kind, /no tool fly\..* Walk\.$/);
      },
    ));

  it('can clean up when it is cancelled while it waits for a message', () => {
    let cleanUp: () => void = () => undefined;
    const cleaned = new Promise<void>((resolve) => (cleanUp = resolve));
    return withLoop(
      async (run) => {
        try {
          await run.receive();
          run.setState('thinking');
          await run.receive();
        } finally {
          cleanUp();
        }
        return undefined;
      },
      {},
      async (world) => {
        const handle = world.run('one', OWN);
        handle.subscribe((event) => {
          if (event.type === 'state-changed' && event.state === 'idle') handle.cancel();
        });
        assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
        await cleaned;
      },
    );
  });
});
