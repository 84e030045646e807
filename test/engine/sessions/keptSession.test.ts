import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { EngineError, type FileSystem } from '../../../src/engine';
import { type Message, userMessage } from '../../../src/engine/messages/message';
import { AgentSession, titleFrom } from '../../../src/engine/sessions/agentSession';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import type { SessionEntry } from '../../../src/engine/sessions/sessionEntry';
import type { SessionStorePorts } from '../../../src/engine/sessions/sessionStore';
import { nodeFileSystem } from '../../../src/node/nodeFileSystem';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], log });
const { clock } = ports;

const outcome = { kind: 'cancelled' } as const;
const finishedAgent = { agentId: 'a', outcome, durationMs: 1, tokens: 0, costUsd: 0, commands: 0, files: [] };
const told = { begins: true, agent: 'coder', role: null, facts: { Day: 'Monday' } };
const rule = { action: 'allow', tool: 'fs_write' } as const;

/** Every way to store something in a session, and the type of the entry that then ends the history. */
const WAYS: readonly (readonly [SessionEntry['type'], (session: AgentSession) => Promise<void>])[] = [
  ['message', (session) => session.add(userMessage('hello', 0, false))],
  ['rule-added', (session) => session.addRule(rule)],
  ['rules-cleared', (session) => session.clearRules()],
  ['tool-started', (session) => session.toolStarted('c')],
  ['file-changed', (session) => session.fileChanged({ path: '/a.txt', before: null })],
  [
    'agent-spawned',
    (session) =>
      session.agentSpawned({ agentId: 'a', agent: 'worker', task: 'work', callId: null, childSessionId: 's' }),
  ],
  ['agent-finished', (session) => session.agentFinished(finishedAgent)],
  ['used-aside', (session) => session.usedAside('m', { inputTokens: 1, outputTokens: 1 })],
  ['run-started', (session) => session.runStarted('r', { model: 'm' })],
  ['skill-loaded', (session) => session.note({ type: 'skill-loaded', skill: 'git' })],
  ['compacted', (session) => session.compact({ text: 'short', keptFrom: 'm', time: 0 })],
  ['pruned', (session) => session.prune('m')],
  ['told', (session) => session.tell(told)],
  ['run-finished', (session) => session.runFinished('r', outcome, 1)],
];

function asks(...ids: string[]): Message {
  return {
    ...{ role: 'assistant', id: 'asks', time: 0, agent: 'coder', model: 'm', finish: 'tool-calls' },
    parts: ids.map((id) => ({ type: 'tool-call', call: { id, name: 'fs_read', arguments: '{}' } })),
  };
}

function gives(...ids: string[]): Message {
  const results = ids.map((callId) => {
    return { callId, name: 'fs_read', status: 'ok' as const, text: 'x', detail: null, durationMs: 0 };
  });
  return { role: 'tool', id: 'gives', time: 0, results };
}

describe('A saved session', () => {
  let folder: TemporaryFolder;
  let root: string;
  let id: string;

  const storeWith = (other: Partial<SessionStorePorts>) => new FileSessionStore(root, { ...ports, log, ...other });
  const opened = async (store = storeWith({})) => new AgentSession(await store.open(id), store, clock);
  const onDisk = async () => (await storeWith({}).open(id)).entries;

  beforeEach(async () => {
    folder = await temporaryFolder();
    root = join(folder.path, 'sessions');
    const fresh = { workspace: folder.path, model: null, approvalMode: 'nothing', name: null } as const;
    ({ id } = await storeWith({}).create(fresh));
  });
  afterEach(() => folder.remove());

  for (const [type, keep] of WAYS) {
    it(`is on disk when an entry is reported as saved: ${type}`, async () => {
      const session = await opened();
      await session.addRule(rule);
      await keep(session);
      const { history } = session;
      assert.equal(history.at(-1)?.type, type);
      assert.deepEqual(await onDisk(), history);
      assert.deepEqual((await opened()).context, session.context);
    });
  }

  it('rejects every kind of entry with the reason when the disk is full', async () => {
    const appendLine = (file: string) => Promise.reject(new EngineError('io', `${file}: the disk is full.`));
    const store = storeWith({ files: { ...ports.files, appendLine } });
    for (const [type, keep] of WAYS) {
      if (type === 'rules-cleared') continue;
      const session = await opened(store);
      await assert.rejects(keep(session), /the disk is full/, type);
      assert.deepEqual(session.history, [], type);
    }
  });

  it('contains the to-dos of a run before its end, and the questions', async () => {
    const session = await opened();
    await session.add(userMessage('mend the clock', 0, false));
    session.todos.init(['one']);
    session.todos.init(['two', 'three']);
    await session.runFinished('r', outcome, 1);
    assert.equal(session.metadata.opening, 'mend the clock');
    assert.deepEqual(
      (await onDisk()).map(({ type }) => type),
      ['message', 'todos', 'todos', 'run-finished'],
    );
    assert.deepEqual((await opened()).todos.items, session.todos.items);
  });

  it('contains to-dos as soon as they change, with the agent that requested them', async () => {
    const store = storeWith({});
    const session = await opened(store);
    const told: number[] = [];
    session.onTodosChanged((items) => told.push(items.length));
    session.todos.init(['one']);
    session.todos.init(['one', 'two']);
    assert.deepEqual(told, [1, 2]);
    await setImmediate();
    // Opening the session is queued after the pending writes.
    assert.deepEqual((await store.open(id)).entries, session.history);
  });

  it('contains all to-dos that could not be written at first', async () => {
    const disk = { isFull: true };
    const appendLine: FileSystem['appendLine'] = (file, line) =>
      disk.isFull ? Promise.reject(new EngineError('io', 'The disk is full.')) : ports.files.appendLine(file, line);
    const session = await opened(storeWith({ files: { ...ports.files, appendLine } }));
    for (const todo of ['one', 'two', 'three']) session.todos.init([todo]);
    await assert.rejects(session.runFinished('r', outcome, 1), /The disk is full/);
    disk.isFull = false;
    await session.runFinished('r', outcome, 1);
    assert.deepEqual(await onDisk(), session.history);
    assert.equal((await onDisk()).length, 4);
  });

  it('returns what the model was told until that is summarized', async () => {
    const session = await opened();
    await session.tell({ ...told, begins: false });
    assert.equal(session.told, undefined, 'what was told later without a beginning says nothing');
    await session.tell(told);
    await session.tell({ ...told, begins: false, facts: { Day: 'Tuesday' } });
    for (const { told: known } of [session, await opened()]) {
      assert.deepEqual([known?.agent, known?.first, known?.now], ['coder', told.facts, { Day: 'Tuesday' }]);
    }
    await session.compact({ text: 'short', keptFrom: 'm', time: 0 });
    assert.equal(session.told, undefined);
  });

  it('drops the rules that were revoked, and records that once', async () => {
    const session = await opened();
    await session.clearRules();
    assert.deepEqual(session.history, [], 'there was nothing to take back');
    await session.addRule(rule);
    assert.deepEqual((await opened()).rules, [rule]);
    await session.clearRules();
    assert.deepEqual([session.rules, (await opened()).rules], [[], []]);
  });

  it('lists the calls without a result, and which of them had started', async () => {
    const session = await opened();
    const open = () => session.openCalls().map(({ call, started }) => [call.id, started]);
    await session.add(userMessage('go', 0, false));
    assert.deepEqual(open(), []);
    await session.add(asks('c1', 'c2'));
    await session.toolStarted('c1');
    assert.deepEqual(open(), [
      ['c1', true],
      ['c2', false],
    ]);
    await session.add(gives('c1'));
    assert.deepEqual(open(), [['c2', false]]);
    await session.add(userMessage('something else', 0, false));
    assert.deepEqual(open(), []);
  });

  it('contains no secret once all secrets are known', async () => {
    let areKnown = false;
    const store = storeWith({
      strike: (text) => text.replaceAll('sesame', '***'),
      secretsKnown: async () => {
        await setImmediate();
        areKnown = true;
      },
    });
    const strike = await (await opened(store)).striking();
    assert.deepEqual([areKnown, strike('open sesame')], [true, 'open ***']);
    assert.equal((await (await opened()).striking())('open sesame'), 'open sesame');
  });

  it('is listed with the first line of its question, at most sixty characters', () => {
    assert.equal(titleFrom('\n  Mend the clock  \nand the sundial'), 'Mend the clock  ');
    assert.equal(titleFrom('x'.repeat(60)), 'x'.repeat(60));
    assert.equal(titleFrom('x'.repeat(61)), `${'x'.repeat(59)}…`);
  });

  describe('when another process changes it', () => {
    it('notifies its listeners until they unsubscribe', async () => {
      const [mine, theirs] = [await opened(), await opened()];
      const from: number[] = [];
      const listening = mine.onCaughtUp((at) => from.push(at));
      await theirs.add(userMessage('one', 0, false));
      await mine.catchUp();
      await mine.catchUp();
      assert.deepEqual(from, [0], 'and what is known already is not told again');
      await theirs.rename('Clocks');
      await mine.catchUp();
      assert.deepEqual(from, [0, 1], 'a name alone counts, too');
      listening.dispose();
      await theirs.add(userMessage('two', 0, false));
      await mine.catchUp();
      assert.deepEqual([from, mine.messages.length, mine.metadata.title], [[0, 1], 2, 'Clocks']);
    });

    it('reports changes on disk until the watcher is disposed', async () => {
      const session = await opened();
      const watching = { end: () => undefined as void };
      await new Promise<void>((resolve) => {
        const watch = session.watch(resolve);
        watching.end = () => watch.dispose();
        void opened().then((other) => other.add(userMessage('one', 0, false)));
      });
      watching.end();
      const alone = await opened(storeWith({ files: nodeFileSystem(false) }));
      alone.watch(() => assert.fail('nobody watches')).dispose();
    });

    it('loads new entries and to-dos, and each entry of an older version once', async () => {
      const unnamed = (runId: string) => `${JSON.stringify({ type: 'run-started', time: 0, runId, model: 'm' })}\n`;
      const history = join(root, id, 'history.jsonl');
      await appendFile(history, unnamed('a') + unnamed('b'));
      const [mine, theirs] = [await opened(), await opened()];
      const runs = () => mine.history.flatMap((entry) => (entry.type === 'run-started' ? [entry.runId] : []));
      await appendFile(history, unnamed('c'));
      await mine.catchUp();
      assert.deepEqual(runs(), ['a', 'b', 'c']);
      theirs.todos.init(['one']);
      await theirs.runFinished('c', outcome, 1);
      const hold = await mine.hold();
      assert.equal(hold?.changed, true);
      await hold.release();
      await mine.toolStarted('own');
      assert.deepEqual([runs(), mine.todos.items, mine.interrupted], [['a', 'b', 'c'], theirs.todos.items, false]);
      const again = await mine.hold();
      assert.equal(again?.changed, false, 'what it kept itself is nothing new');
      await again.release();
    });
  });

  describe('during a run', () => {
    /** Releases the lock with a delay. */
    const lock: FileSystem['lock'] = async (file) => {
      const taken = await ports.files.lock(file);
      return taken && { ...taken, release: () => setImmediate().then(() => taken.release()) };
    };
    const clearedOnDisk = async () => (await onDisk()).filter((entry) => entry.type === 'todos').at(-1)?.items;

    it('has its to-dos cleared under the run’s lock, and otherwise under a lock of its own', async () => {
      const session = await opened();
      session.todos.init(['one']);
      const hold = await session.hold();
      await session.clearTodos();
      assert.deepEqual(await clearedOnDisk(), []);
      assert.equal(await (await opened()).hold(), null, 'the run still has the session');
      await hold?.release();
      session.todos.init(['two']);
      await session.clearTodos();
      assert.deepEqual(await clearedOnDisk(), []);
      const other = await (await opened()).hold();
      session.todos.init(['three']);
      await assert.rejects(session.clearTodos(), (error) => {
        return EngineError.is(error, 'invalid-state') && /Clear the to-dos there, or here when/.test(error.message);
      });
      assert.equal(session.todos.items.length, 1);
      assert.ok(other);
      await other.release();
    });

    it('is unlocked as soon as its to-dos are cleared', async () => {
      const session = await opened(storeWith({ files: { ...ports.files, lock } }));
      const other = await opened();
      session.todos.init(['one']);
      await session.clearTodos();
      const hold = await other.hold();
      assert.ok(hold);
      await hold.release();
    });

    it('does not start before the to-dos are cleared, even if that fails', async () => {
      const session = await opened();
      session.todos.init(['one']);
      const clearing = session.clearTodos();
      const hold = await session.hold();
      assert.ok(hold);
      await clearing;
      await hold.release();
      const other = await (await opened()).hold();
      const refused = assert.rejects(session.clearTodos(), EngineError);
      assert.equal(await session.hold(), null);
      await refused;
      await other?.release();
      const again = await session.hold();
      assert.ok(again);
      await again.release();
    });

    it('is unlocked after a failed read at the start', async () => {
      let refuses = false;
      const readFile: FileSystem['readFile'] = (file) =>
        refuses ? Promise.reject(new EngineError('io', `${file} cannot be read.`)) : ports.files.readFile(file);
      const session = await opened(storeWith({ files: { ...ports.files, readFile, lock } }));
      const theirs = await opened();
      await theirs.add(userMessage('theirs', 0, false));
      refuses = true;
      await assert.rejects(session.hold(), /history\.jsonl cannot be read/);
      const other = await theirs.hold();
      assert.ok(other, 'as soon as that is said');
      await other.release();
    });
  });
});
