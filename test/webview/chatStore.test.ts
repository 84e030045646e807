import assert from 'node:assert/strict';
import type { ChatState } from '../../src/protocol/chatState';
import type { ChatSnapshot } from '../../src/protocol/hostApi';
import { reduceChat } from '../../src/protocol/reduceChat';
import { type ChatChange, ChatStore } from '../../webview/store/chatStore';
import { emptyChat } from '../support/emptyChat';
import { chat, text, user } from './support/chats';

/** A requested snapshot, which the test answers. */
interface Asked {
  sessionId: string | undefined;
  give: (snapshot: ChatSnapshot) => void;
  fail: (reason: string) => void;
}

/** A store whose host answers when the test says so. */
function storeWithHost() {
  const asked: Asked[] = [];
  const changes: ChatChange[] = [];
  const store = new ChatStore(
    (sessionId) =>
      new Promise((give, reject) => {
        asked.push({ sessionId, give, fail: (reason) => reject(new Error(reason)) });
      }),
    (error) => assert.fail(String(error)),
  );
  store.onChange((change) => changes.push(change));
  return { store, asked, changes };
}

/** A store that shows session `s`, with the text of one answer, after two events. */
async function openStore() {
  const world = storeWithHost();
  const opened = world.store.open('s');
  world.asked[0]?.give({ seq: 2, state: answering('One') });
  await opened;
  return world;
}

const answering = (words: string): ChatState => chat({ sessionId: 's', entries: [text('t', words, true)] });

/** Events that append these words one by one, numbered from `firstSeq`. */
const words = (firstSeq: number, all: readonly string[], sessionId = 's') => ({
  kind: 'events' as const,
  sessionId,
  firstSeq,
  events: all.map((word) => ({ type: 'text-appended' as const, entryId: 't', text: ` ${word}` })),
});

const shown = (store: ChatStore): string[] =>
  (store.state?.entries ?? []).map((entry) => ('text' in entry ? entry.text : entry.kind));

describe('The chat store of the panel', () => {
  it('tells which chat is shown only when none is being opened, and none if that failed', async () => {
    const { store, asked } = await openStore();
    assert.equal((await store.shown())?.sessionId, 's');
    void store.open('t');
    const told: (string | undefined)[] = [];
    const telling = store.shown().then((state) => told.push(state?.sessionId));
    void store.open('u');
    asked[1]?.give({ seq: 0, state: emptyChat('t') });
    await Promise.resolve();
    assert.deepEqual(told, []);
    asked[2]?.give({ seq: 0, state: emptyChat('u') });
    await telling;
    assert.deepEqual(told, ['u']);
    const failed = store.open('v');
    const nothing = store.shown();
    asked[3]?.fail('It is gone.');
    await failed;
    assert.equal(await nothing, null);
    assert.equal((await store.shown())?.sessionId, 'u');
  });

  it('applies consecutive events, and passes exactly those to its listeners', async () => {
    const { store, changes, asked } = await openStore();
    const next = words(3, ['two', 'three']);
    store.receive(next);
    assert.deepEqual(shown(store), ['One two three']);
    assert.deepEqual(changes.at(-1), { kind: 'folded', state: store.state, events: next.events });
    store.receive(words(5, ['four']));
    assert.deepEqual(shown(store), ['One two three four']);
    assert.equal(asked.length, 1);
  });

  it('skips events it already has, even in a batch that is only partly new', async () => {
    const { store, changes, asked } = await openStore();
    store.receive(words(1, ['old', 'One']));
    assert.equal(changes.length, 1);
    store.receive(words(2, ['One', 'two', 'three']));
    assert.deepEqual(shown(store), ['One two three']);
    store.receive(words(3, ['two', 'three', 'four']));
    assert.deepEqual(shown(store), ['One two three four']);
    assert.equal(asked.length, 1);
  });

  it('reopens the session after a gap of one event, and buffers what arrives in the meantime', async () => {
    const { store, asked } = await openStore();
    store.receive(words(4, ['three']));
    assert.deepEqual(shown(store), ['One']);
    assert.deepEqual(
      asked.map(({ sessionId }) => sessionId),
      ['s', 's'],
    );
    store.receive(words(5, ['four']));
    store.receive(words(6, ['five']));
    assert.equal(asked.length, 2, 'one request is enough');
    asked[1]?.give({ seq: 5, state: answering('One two three four') });
    await until(() => shown(store)[0] !== 'One');
    assert.deepEqual(shown(store), ['One two three four five'], 'what the snapshot has is not folded twice');
  });

  it('also reopens it for a gap after the snapshot', async () => {
    const { store, asked } = await openStore();
    store.receive(words(4, ['three']));
    store.receive(words(8, ['seven']));
    asked[1]?.give({ seq: 4, state: answering('One two three') });
    await until(() => asked.length === 3);
    assert.deepEqual(shown(store), ['One two three']);
  });

  it('never applies buffered events of another session', async () => {
    const { store, asked, changes } = await openStore();
    const opened = store.open('other');
    store.receive(words(3, ['two']));
    store.receive(words(3, ['hers'], 'other'));
    const state = chat({ sessionId: 'other', entries: [text('t', 'Hers:', true)] });
    asked[1]?.give({ seq: 2, state });
    await opened;
    assert.deepEqual(shown(store), ['Hers: hers']);
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['shown', 'shown', 'folded'],
    );
    assert.equal(asked.length, 2, 'and does not ask for the session again because of it');
  });

  it('reopens its own session when it receives events of another, and applies none of those', async () => {
    const { store, asked } = await openStore();
    store.receive(words(3, ['hers'], 'other'));
    assert.deepEqual(shown(store), ['One']);
    assert.equal(asked.at(-1)?.sessionId, 's');
    assert.equal(asked.length, 2);
  });

  it('continues after a failure with consecutive buffered events of its session, and nothing else', async () => {
    const { store, asked, changes } = await openStore();
    const opened = store.open('other');
    store.receive(words(3, ['two']));
    store.receive(words(4, ['hers'], 'other'));
    store.receive(words(4, ['three']));
    store.receive(words(7, ['six']));
    asked[1]?.fail('The log is damaged.');
    await opened;
    assert.equal(store.failure, 'The log is damaged.');
    assert.deepEqual(shown(store), ['One two three']);
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['shown', 'failed', 'folded', 'folded'],
    );
    assert.equal(asked.length, 2, 'a host that fails is not asked for ever');
  });

  it('detects the gap left by a failure at the next event, and recovers', async () => {
    const { store, asked } = await openStore();
    const opened = store.open('s');
    store.receive(words(4, ['three']));
    asked[1]?.fail('The log is damaged.');
    await opened;
    assert.deepEqual(shown(store), ['One']);
    store.receive(words(5, ['four']));
    assert.equal(asked.length, 3);
    asked[2]?.give({ seq: 5, state: answering('One two three four') });
    await until(() => store.failure === null);
    store.receive(words(6, ['five']));
    assert.deepEqual(shown(store), ['One two three four five']);
  });

  it('drops what arrived while it could not be opened: a host with a new sequence is asked only once', async () => {
    const { store, asked } = await openStore();
    const opened = store.open('s');
    store.receive(words(9, ['late']));
    asked[1]?.fail('The host is gone.');
    await opened;
    const again = store.open('s');
    asked[2]?.give({ seq: 0, state: answering('One') });
    await again;
    assert.equal(asked.length, 3);
  });

  it('uses the last of several requests, whichever is answered first', async () => {
    const { store, asked, changes } = storeWithHost();
    const opened = [store.open('first'), store.open('second'), store.open('third')];
    const other = (sessionId: string): ChatSnapshot => ({ seq: 0, state: emptyChat(sessionId) });
    asked[2]?.give(other('third'));
    asked[0]?.give(other('first'));
    asked[1]?.fail('It is gone.');
    await Promise.all(opened);
    assert.equal(store.state?.sessionId, 'third');
    assert.equal(store.failure, null);
    assert.equal(changes.length, 1);
  });

  it('shows nothing after it is disposed', async () => {
    const { store, asked, changes } = storeWithHost();
    const opened = store.open('s');
    store.dispose();
    asked[0]?.give({ seq: 0, state: emptyChat('s') });
    await opened;
    assert.equal(store.state, null);
    assert.deepEqual(changes, []);
  });

  it('is the same however the events are batched and wherever the snapshot was taken', async () => {
    const all = words(1, ['a', 'b', 'c', 'd', 'e', 'f']).events;
    const begin = chat({ sessionId: 's', entries: [user('u', 'Hi'), text('t', '', true)] });
    const whole = all.reduce(reduceChat, begin);
    for (let seq = 0; seq <= all.length; seq++) {
      for (let cut = 0; cut <= all.length; cut++) {
        const { store, asked } = storeWithHost();
        const opened = store.open('s');
        store.receive({ ...words(1, []), events: all.slice(0, cut) });
        asked[0]?.give({ seq, state: all.slice(0, seq).reduce(reduceChat, begin) });
        await opened;
        store.receive({ ...words(cut + 1, []), events: all.slice(cut) });
        assert.equal(asked.length, 1);
        assert.deepEqual(store.state, whole, `${seq} known, cut at ${cut}`);
      }
    }
  });

  it('notifies no one after it is disposed', async () => {
    const { store, changes } = await openStore();
    store.dispose();
    store.receive(words(3, ['two']));
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['shown'],
    );
  });

  it('records when it last received something new from the host', async () => {
    const { store, asked } = await openStore();
    const isHeard = () => store.heardAt > 0;
    store.heardAt = 0;
    store.receive(words(1, ['old']));
    assert.ok(!isHeard(), 'nothing new');
    store.receive(words(3, ['two']));
    assert.ok(isHeard());
    store.heardAt = 0;
    const opened = store.open('s');
    asked.at(-1)?.give({ seq: 3, state: answering('One two') });
    await opened;
    assert.ok(isHeard());
  });
});

/** Waits, in microtasks, for the consequences of settled promises. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !isSo(); turn++) await Promise.resolve();
  assert.ok(isSo());
}
