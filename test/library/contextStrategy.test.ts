import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ContextStrategy,
  createEngine,
  type Engine,
  EngineError,
  type FittedContext,
  keepLastRounds,
  type LlmEvent,
  type Message,
  memorySessions,
  startRun,
  textOf,
} from '../../src/library';

/** What was sent to the model, message by message; a call is represented by its name. */
type Sent = readonly string[];

interface World {
  engine: Engine;
  sent: Sent[];
  say: (input: string) => Promise<{ kind: string; message?: string; reason?: string }>;
  /** The messages stored on disk. */
  history: () => Promise<readonly Message[]>;
}

/**
 * An engine with a strategy and a model that counts its answers. `call` makes the model list the folder first; `refuse` makes it
 * reject everything as too long.
 */
async function withStrategy(contextStrategy: ContextStrategy | undefined, use: (world: World) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-strategy-'));
  const engine = createEngine({
    workspace: folder,
    configFolder: folder,
    env: {},
    sessions: memorySessions(),
    ...(contextStrategy && { contextStrategy }),
  });
  const sent: Sent[] = [];
  engine.registerProvider({
    id: 'counting',
    label: 'Counting',
    needsKey: false,
    isReady: () => Promise.resolve(true),
    client: () => ({
      async *stream({ messages }): AsyncIterable<LlmEvent> {
        sent.push(messages.map(shown));
        yield* answer(messages.map(shown).at(-1) ?? '', sent.length);
      },
    }),
  });
  engine.registerAgent({ name: 'counter', description: 'Counts', prompt: 'You count.' });
  let sessionId: string | undefined;
  try {
    await use({
      engine,
      sent,
      async say(input) {
        const where = {
          workspace: folder,
          agent: 'counter',
          model: 'counting:one',
          ...(sessionId !== undefined && { sessionId }),
        };
        const run = await startRun(engine, { input, ...where });
        ({ sessionId } = run);
        return run.outcome;
      },
      history: async () => (await engine.sessions.open(sessionId ?? '')).messages,
    });
  } finally {
    await engine.shutDown();
    await rm(folder, { recursive: true, force: true });
  }
}

/** As plain JavaScript might return it. */
function nothing(): FittedContext {
  const given: unknown = undefined;
  const isFitted = (value: unknown): value is FittedContext => value === given;
  return isFitted(given) ? given : {};
}

function* answer(last: string, count: number): Iterable<LlmEvent> {
  if (last.includes('refuse')) {
    yield { type: 'failed', failure: { reason: 'context-overflow', message: 'That is too long.' } };
  } else if (last.includes('call')) {
    yield { type: 'tool-call', call: { id: `call${count}`, name: 'fs_ls', arguments: '{"path":"."}' } };
    yield { type: 'finished', reason: 'tool-calls' };
  } else {
    yield { type: 'text-delta', text: `answer ${count}` };
    yield { type: 'finished', reason: 'stop' };
  }
}

function shown(message: Message): string {
  if (message.role === 'tool') return 'result';
  const calls = message.parts.some((part) => part.type === 'tool-call');
  return calls ? 'the call' : textOf(message);
}

describe('A program’s context strategy', () => {
  it('decides what the model is sent, and the session stays complete', () => {
    const lastWords: ContextStrategy = {
      name: 'last words',
      fit: ({ messages }) => ({ messages: messages.slice(-1) }),
    };
    return withStrategy(lastWords, async ({ say, sent, history }) => {
      await say('one');
      await say('two');
      assert.deepEqual(sent, [['one'], ['two']]);
      assert.deepEqual((await history()).map(shown), ['one', 'answer 1', 'two', 'answer 2']);
    });
  });

  it('sees the size of the conversation and the model’s limit, and may defer to Cairn', () => {
    const seen: { size: number; limit: number; room: number; model: string }[] = [];
    const watching: ContextStrategy = {
      name: 'watching',
      async fit({ messages, size, limit, room, model, asUsual }) {
        seen.push({ size: size(messages), limit, room, model });
        return { messages: await asUsual() };
      },
    };
    return withStrategy(watching, async ({ say, sent }) => {
      await say('one');
      await say('two');
      assert.deepEqual(sent.at(-1), ['one', 'answer 1', 'two']);
      const [first, second] = seen;
      assert.ok(first && second && first.size < second.size && second.size < second.limit);
      assert.ok(first.limit < first.room);
      assert.equal(first.model, 'counting:one');
    });
  });

  it('sets a lasting mark, which keeps the user’s messages', () => {
    const once: ContextStrategy = {
      name: 'once',
      fit({ messages }) {
        const at = messages.findIndex((message) => message.role === 'user' && textOf(message) === 'two');
        const kept = messages[at];
        return at > 0 && kept ? { mark: { keptFrom: kept.id, summary: 'They counted.' } } : { messages };
      },
    };
    return withStrategy(once, async ({ say, sent, history }) => {
      await say('one');
      await say('two');
      await say('three');
      const [, second, third] = sent;
      assert.ok(second && third);
      assert.match(second[0] ?? '', /They counted\.[^]*<said>\none\n<\/said>/);
      assert.deepEqual(second.slice(1), ['two']);
      assert.deepEqual(third, [...second, 'answer 2', 'three']);
      assert.equal((await history()).map(shown)[1], 'answer 1');
    });
  });

  const broken: [string, ContextStrategy['fit'], RegExp][] = [
    [
      'throws',
      () => {
        throw new Error('no idea');
      },
      /“bad” failed: no idea/,
    ],
    ['returns nothing', nothing, /“bad” failed: what it returned is not valid/],
    ['returns neither messages nor a mark', () => ({}), /neither messages nor a mark/],
    [
      'drops the result of a call',
      ({ messages }) => ({ messages: messages.filter(({ role }) => role !== 'tool') }),
      /a call that is not followed by its result/,
    ],
    [
      'drops the call of a result',
      ({ messages }) => ({ messages: messages.filter(({ role }) => role !== 'assistant') }),
      /a result without its call/,
    ],
    ['returns no messages', () => ({ messages: [] }), /do not start with a user message/],
    [
      'sets a mark at an unknown message',
      () => ({ mark: { keptFrom: 'msg_none', summary: '' } }),
      /names the message msg_none/,
    ],
    [
      'sets a mark between a call and its result',
      ({ messages }) => ({ mark: { keptFrom: messages.at(-1)?.id ?? '', summary: '' } }),
      /would separate the results/,
    ],
  ];
  for (const [what, fit, says] of broken) {
    it(`that ${what} is named, and nothing more is requested`, () => {
      const bad: ContextStrategy = {
        name: 'bad',
        fit: (conversation) =>
          conversation.messages.at(-1)?.role === 'tool' ? fit(conversation) : { messages: conversation.messages },
      };
      return withStrategy(bad, async ({ say, sent }) => {
        const outcome = await say('call');
        assert.equal(outcome.kind, 'failed');
        assert.equal(outcome.reason, 'context-strategy');
        assert.match(outcome.message ?? '', says);
        assert.equal(sent.length, 1);
      });
    });
  }

  it('is abandoned when the run is cancelled', () => {
    const waiting: ContextStrategy = { name: 'waiting', fit: () => new Promise(() => undefined) };
    return withStrategy(waiting, async ({ engine, say }) => {
      engine.onEvent(({ type }) => {
        if (type === 'state-changed') for (const run of engine.runs()) run.cancel();
      });
      assert.equal((await say('one')).kind, 'cancelled');
    });
  });

  it('is asked again after the model rejects the request as too long, but not a third time if nothing changed', () => {
    let asked = 0;
    const stubborn: ContextStrategy = {
      name: 'stubborn',
      fit({ messages }) {
        asked++;
        return { messages };
      },
    };
    return withStrategy(stubborn, async ({ say, sent }) => {
      const outcome = await say('refuse');
      assert.equal(outcome.reason, 'context-overflow');
      assert.equal(sent.length, 1);
      assert.equal(asked, 2);
    });
  });

  it('without a name or a function is rejected when the engine is created', () => {
    const isRefused = (error: unknown) =>
      EngineError.is(error, 'invalid-input') && /contextStrategy/.test(error.message);
    const nameless: ContextStrategy = { name: '', fit: ({ messages }) => ({ messages }) };
    assert.throws(() => createEngine({ env: {}, contextStrategy: nameless }), isRefused);
  });
});

describe('The context strategy that keeps the last rounds', () => {
  it('extends each request until the rounds have doubled, and keeps the user’s messages', () =>
    withStrategy(keepLastRounds(2), async ({ say, sent }) => {
      for (const word of ['one', 'two', 'three', 'four', 'five', 'six']) await say(word);
      const isContinued = sent
        .slice(1)
        .map((now, index) => JSON.stringify(now.slice(0, -2)) === JSON.stringify(sent[index]));
      assert.deepEqual(isContinued, [true, true, true, false, true]);
      const shortened = sent[4] ?? [];
      assert.match(shortened[0] ?? '', /<said>\none\n<\/said>\n\n<said>\ntwo/);
      assert.deepEqual(shortened.slice(1), ['three', 'answer 3', 'four', 'answer 4', 'five']);
    }));

  it('keeps calls with their results', () =>
    withStrategy(keepLastRounds(1), async ({ say, sent }) => {
      await say('one');
      await say('call');
      const last = sent.at(-1) ?? [];
      assert.deepEqual(last.slice(1), ['call', 'the call', 'result']);
      assert.equal((await say('three')).kind, 'completed');
    }));

  it('never splits a round', () => {
    for (const count of [0, 1.5, Number.NaN]) {
      assert.throws(
        () => keepLastRounds(count),
        (error) => EngineError.is(error, 'invalid-input'),
      );
    }
  });
});
