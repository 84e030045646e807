import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveChat } from '../../../src/chat/liveChat';
import { until } from '../../editor/until';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { openChat } from '../../support/openChat';

/** More steps than a run takes from its last answer to its end. */
const MOMENTS = 60;

/** Yields so that pending work can proceed: three out of four times within the current turn of the event loop. */
async function letGo(moments: number): Promise<void> {
  for (let moment = 0; moment < moments; moment++) {
    if (moment % 4 === 3) await new Promise(setImmediate);
    else await Promise.resolve();
  }
}

const answering = { story: [{ when: () => true, step: { say: 'Yes.' } }] };
const textsOf = async ({ engine, sessionId }: EngineWorld) =>
  (await engine.sessions.open(sessionId)).messages.flatMap((message) =>
    message.role === 'user' ? message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );

describe('A user message', () => {
  it('is on disk when it is reported as accepted', () =>
    withWorld(answering, async (world) => {
      const handle = world.run('What is the time?');
      const kept: boolean[] = [];
      handle.subscribe(({ type, sessionId }) => {
        if (type !== 'message-taken') return;
        const history = readFileSync(join(world.sessionsFolder, sessionId, 'history.jsonl'), 'utf8');
        kept.push(history.includes('What is the time?'));
      });
      await handle.outcome;
      assert.deepEqual(kept, [true]);
    }));
});

describe('A message that arrives as the run ends', function () {
  this.timeout(60_000);

  it('is in the history if accepted, and refused otherwise, at any moment', () =>
    withWorld(answering, async (world) => {
      const expected: string[] = [];
      let refused = 0;
      for (let moments = 0; moments < MOMENTS; moments++) {
        const handle = world.run(`ask ${moments}`);
        expected.push(`ask ${moments}`);
        const late = `late ${moments}`;
        let sent: Promise<void> | undefined;
        handle.subscribe((event) => {
          if (event.type !== 'reply-finished' || sent) return;
          sent = letGo(moments).then(() => {
            if (handle.send(late)) expected.push(late);
            else refused++;
          });
        });
        await handle.outcome;
        await sent;
      }
      assert.deepEqual(await textsOf(world), expected);
      assert.deepEqual(await textsOf(await world.restart()), expected);
      assert.ok(refused > 0 && expected.length > MOMENTS, 'some came in time and some too late');
    }));

  it('is always answered in the chat, by this run or the next one', () =>
    withWorld(answering, async (world) => {
      const chat: LiveChat = await openChat(world);
      const isAnswered = (text: string) => {
        const { entries, run, queued } = chat.state;
        const at = entries.findIndex((entry) => entry.kind === 'user' && entry.text === text);
        return run === null && queued.length === 0 && at >= 0 && entries.slice(at).some(({ kind }) => kind === 'text');
      };
      for (let moments = 0; moments < MOMENTS; moments += 3) {
        const late = `late ${moments}`;
        const handle = chat.run({ text: `ask ${moments}` });
        let isSent = false;
        handle.subscribe((event) => {
          if (event.type !== 'reply-finished' || isSent) return;
          isSent = true;
          void letGo(moments).then(() => chat.steer({ text: late }));
        });
        await until(`an answer to ${late}`, () => isAnswered(late), 10_000);
      }
    }));
});

describe('A run’s time limit', () => {
  it('is not affected by changes to the clock', () =>
    withWorld(
      {
        files: { 'a.txt': 'x' },
        story: [{ call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] }, { say: 'In time.' }],
      },
      async (world) => {
        const { now } = Date;
        const handle = world.run('go', { limits: { timeMs: 600_000 } });
        handle.subscribe((event) => {
          if (event.type === 'tool-finished') Date.now = () => now() + 3_600_000;
        });
        try {
          assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'In time.' });
        } finally {
          Date.now = now;
        }
      },
    ));
});

describe('A model-generated title', () => {
  it('does not replace one set in another window in the meantime', () =>
    withWorld({ story: [{ say: 'Yes.' }, { say: 'A title of the model', hold: 'title' }] }, async (world) => {
      await world.play('first', { namesSession: true });
      await world.server.untilRequests(2);
      const elsewhere = await world.restart();
      await elsewhere.engine.sessions.rename(world.sessionId, 'Mine');
      world.server.release('title');
      await world.engine.shutDown();
      const again = await world.restart();
      assert.equal((await again.engine.sessions.open(world.sessionId)).metadata.title, 'Mine');
    }));
});
