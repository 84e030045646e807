import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Deferred } from '../../../src/base/async';
import { type AgentEvent, EngineError, type FileSystem } from '../../../src/engine';
import type { SessionEntry } from '../../../src/engine/sessions/sessionEntry';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { neverAnswered } from '../../support/neverAnswered';
import { type OtherProcess, withProcesses } from '../../support/otherProcess/otherProcess';
import { otherWindow } from '../../support/otherWindow';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
/** A time limit that only the test's clock measures. */
const TIME_MS = 77_000;
const started = (runId: string): SessionEntry => ({ id: runId, type: 'run-started', time: 0, runId, model: 'm' });
const idsOf = (entries: readonly SessionEntry[] | null | undefined) => entries?.map(({ id }) => id);

describe('A session shared by two processes', function () {
  this.timeout(60_000);
  let folder: TemporaryFolder;
  let root: string;
  let store: FileSessionStore;
  let id: string;

  const at = (name: string) => join(root, id, name);
  const history = () => readFile(at('history.jsonl'), 'utf8');
  /** Runs `use` with another process that works in the same folder. */
  const withOther = (use: (other: OtherProcess) => Promise<void>) =>
    withProcesses(1, async ([other]) => {
      assert.ok(other);
      await use(other);
    });

  beforeEach(async () => {
    folder = await temporaryFolder();
    root = join(folder.path, 'sessions');
    store = new FileSessionStore(root, ports);
    ({ id } = await store.create({ workspace: folder.path, model: null, approvalMode: 'nothing', name: null }));
  });
  afterEach(() => folder.remove());

  it('is locked by only one of two stores of a process that ask at the same time', async () => {
    const stores = [new FileSessionStore(root, ports), new FileSessionStore(root, ports)];
    const holds = await Promise.all(stores.map((one) => one.hold(id)));
    const [taken, ...others] = holds.filter((hold) => hold !== null);
    assert.ok(taken);
    assert.deepEqual(others, []);
    await stores[holds.indexOf(taken)]?.append(id, started('mine'));
    await taken.release();
  });

  it('refuses entries from a process that does not run in it, and the other continues', () =>
    withOther(async (other) => {
      assert.equal(await other.ask({ do: 'hold', root, session: id }), 'held');
      await assert.rejects(store.append(id, started('mine')), /running in another window/);
      assert.equal(await store.hold(id), null);
      assert.equal(await other.ask({ do: 'say', root, session: id, text: 'theirs' }), 'kept');
      await other.ask({ do: 'release' });
      const entries = (await store.open(id)).entries;
      assert.deepEqual([entries.length, entries[0]?.type], [1, 'message']);
    }));

  it('refuses entries from a process that lost its lock', async () => {
    const hold = await store.hold(id);
    await store.append(id, started('one'));
    await rm(at('run.lock'));
    await assert.rejects(store.append(id, started('two')), (error) => {
      return EngineError.is(error, 'invalid-state') && /taken over by another window/.test(error.message);
    });
    await hold?.release();
    assert.deepEqual(idsOf((await store.open(id)).entries), ['one']);
  });

  it('is not recreated by a process that still has it open after its folder is gone', async () => {
    const hold = await store.hold(id);
    await rm(join(root, id), { recursive: true });
    await assert.rejects(store.append(id, started('one')), EngineError);
    await hold?.release();
    await assert.rejects(store.hold(id), /was deleted/);
    await assert.rejects(store.append(id, started('one')), /was deleted/);
    assert.deepEqual(await readdir(root), []);
  });

  it('is not repaired while another process writes it', () =>
    withOther(async (other) => {
      await store.append(id, started('one'));
      await other.ask({ do: 'hold', root, session: id });
      await appendFile(at('history.jsonl'), '{"type":"run-st');
      const before = await history();
      const { entries } = await new FileSessionStore(root, ports).open(id);
      assert.deepEqual(idsOf(entries), ['one']);
      assert.equal(await history(), before);
    }));

  it('keeps entries that arrive between inspection and the lock for the repair', async () => {
    await store.append(id, started('one'));
    const whole = `${JSON.stringify(started('two'))}\n`;
    await appendFile(at('history.jsonl'), whole.slice(0, 20));
    // The other process completes its line and ends its run just before this one acquires the lock.
    const lock: FileSystem['lock'] = async (file) => {
      await appendFile(at('history.jsonl'), whole.slice(20));
      return ports.files.lock(file);
    };
    const late = new FileSessionStore(root, { ...ports, files: { ...ports.files, lock } });
    assert.deepEqual(idsOf((await late.open(id)).entries), ['one', 'two']);
    assert.ok((await history()).endsWith(whole));
  });

  it('also opens where nothing can be repaired', async () => {
    await store.append(id, started('one'));
    await appendFile(at('history.jsonl'), '{"type":"run-st');
    await writeFile(at('metadata.json'), 'broken');
    const writeFails: FileSystem = {
      ...ports.files,
      writeFile: (file) => Promise.reject(new EngineError('io', `${file} cannot be written: the disk is full.`)),
    };
    const { entries, metadata } = await new FileSessionStore(root, { ...ports, files: writeFails }).open(id);
    assert.deepEqual([idsOf(entries), metadata.id], [['one'], id]);
    await store.append(id, started('two'));
    assert.deepEqual(idsOf((await store.open(id)).entries), ['one', 'two']);
  });

  it('is not read during another process’s run, and is current afterwards', () =>
    withOther(async (other) => {
      await store.open(id);
      await other.ask({ do: 'hold', root, session: id });
      await other.ask({ do: 'say', root, session: id, text: 'hello' });
      assert.equal(await store.readAtRest(id), null);
      assert.equal(await store.heldElsewhere(id), true);
      await other.ask({ do: 'release' });
      assert.equal((await store.readAtRest(id))?.entries?.length, 1);
      assert.equal((await store.readAtRest(id))?.entries, null, 'nothing came since');
      assert.equal(await store.heldElsewhere(id), false);
    }));

  it('is read again once a partially written line is complete', async () => {
    await store.open(id);
    const line = `${JSON.stringify(started('one'))}\n`;
    await appendFile(at('history.jsonl'), line.slice(0, 10));
    assert.deepEqual((await store.readAtRest(id))?.entries, []);
    await appendFile(at('history.jsonl'), line.slice(10));
    assert.deepEqual(idsOf((await store.readAtRest(id))?.entries), ['one']);
  });

  it('keeps what both set at the same time', () =>
    withOther(async (other) => {
      const times = 40;
      const theirs = other.ask({ do: 'set', root, session: id, key: 'theirs', times });
      const titles = Array.from({ length: times }, (_, index) => `title ${index}`);
      for (const title of titles) await store.changeMetadata(id, { title });
      assert.equal(await theirs, 'set');
      const { title, variables } = (await store.open(id)).metadata;
      assert.deepEqual([title, variables['theirs']], [titles.at(-1), String(times)]);
    }));

  it('performs the writes of one process one after the other', async () => {
    const titles = Array.from({ length: 30 }, (_, index) => `title ${index}`);
    const changes = titles.map((title, index) => [
      store.changeMetadata(id, index % 2 === 0 ? { title } : { opening: title }),
      store.append(id, started(`run-${index}`)),
    ]);
    await Promise.all(changes.flat());
    const { metadata, entries } = await store.open(id);
    assert.deepEqual([metadata.title, metadata.opening], ['title 28', 'title 29']);
    assert.deepEqual(
      idsOf(entries),
      titles.map((_, index) => `run-${index}`),
    );
  });

  it('is read only after earlier writes are done', async () => {
    const happened: string[] = [];
    let free: () => void = () => undefined;
    const isFree = new Promise<void>((resolve) => (free = resolve));
    const writeFile: FileSystem['writeFile'] = async (file, bytes) => {
      await isFree;
      await ports.files.writeFile(file, bytes);
      happened.push('written');
    };
    const readFile: FileSystem['readFile'] = (file) => {
      if (file.endsWith('history.jsonl')) happened.push('read');
      return ports.files.readFile(file);
    };
    const slow = new FileSessionStore(root, { ...ports, files: { ...ports.files, writeFile, readFile } });
    const first = slow.append(id, started('one'));
    const second = slow.changeMetadata(id, { title: 'Clocks' });
    await first;
    const third = slow.open(id);
    for (let turns = 0; turns < 20; turns++) await setImmediate();
    free();
    await second;
    assert.equal((await third).metadata.title, 'Clocks');
    assert.deepEqual(happened, ['written', 'read']);
  });

  it('stays listed when the trash refuses it, even the second time', async () => {
    let refuses = true;
    const trash: FileSystem['trash'] = async (path) => {
      if (refuses) throw new EngineError('io', 'The trash is full.');
      await rm(path, { recursive: true });
    };
    const withTrash = new FileSessionStore(root, { ...ports, files: { ...ports.files, trash } });
    for (const time of ['first', 'second']) {
      await assert.rejects(withTrash.remove(id), /trash is full/, time);
      assert.equal((await withTrash.list()).length, 1);
    }
    await withTrash.append(id, started('one'));
    refuses = false;
    await withTrash.remove(id);
    assert.deepEqual(await withTrash.list(), []);
  });

  it('is not deleted while another process runs in it', () =>
    withOther(async (other) => {
      await other.ask({ do: 'hold', root, session: id });
      await assert.rejects(store.remove(id), /is running\. Stop it first/);
      assert.equal(await other.ask({ do: 'say', root, session: id, text: 'still here' }), 'kept');
      await other.ask({ do: 'release' });
      await store.remove(id);
      assert.match(await other.ask({ do: 'say', root, session: id, text: 'too late' }), /failed:.*was deleted/);
      assert.deepEqual(await readdir(root), []);
    }));
});

describe('A session name', () => {
  it('means one session, even when processes start with it at the same time', async () => {
    const folder = await temporaryFolder();
    const root = join(folder.path, 'sessions');
    try {
      await withProcesses(3, async (processes) => {
        for (const name of ['first', 'second', 'third', 'fourth', 'fifth']) {
          const at = Date.now() + 50;
          const ids = await Promise.all(processes.map((one) => one.ask({ do: 'open-named', root, name, at })));
          assert.deepEqual(ids, Array(3).fill(ids[0]), name);
        }
      });
      assert.equal((await new FileSessionStore(root, ports).list()).length, 5);
    } finally {
      await folder.remove();
    }
  });
});

describe('An open session that another process changes', () => {
  const textsOf = async (world: EngineWorld) =>
    (await world.engine.sessions.open(world.sessionId)).messages.flatMap((message) =>
      message.role === 'tool' ? [] : message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    );

  it('keeps its to-dos during a run elsewhere, and reports it', () =>
    withWorld({}, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      session.todos.init(['one', 'two']);
      const other = await otherWindow(world);
      await assert.rejects(session.clearTodos(), /running in another window\. Clear the to-dos there/);
      assert.equal(session.todos.items.length, 2);
      await other.end();
      await session.clearTodos();
      assert.deepEqual((await (await world.restart()).engine.sessions.open(world.sessionId)).todos.items, []);
    }));

  it('clears the current to-dos, not those it had loaded', () =>
    withWorld({}, async (world) => {
      const mine = await world.engine.sessions.open(world.sessionId);
      const theirs = await (await world.restart()).engine.sessions.open(world.sessionId);
      theirs.todos.init(['of the other window']);
      await theirs.clearTodos();
      theirs.todos.init(['again']);
      await theirs.runFinished('run', { kind: 'cancelled' }, 1);
      await mine.clearTodos();
      const { history, todos } = await (await world.restart()).engine.sessions.open(world.sessionId);
      assert.deepEqual(todos.items, []);
      assert.equal(history.length, mine.history.length);
      assert.equal(new Set(idsOf(history)).size, history.length);
    }));

  it('loads entries by their identity, not by their number', () =>
    withWorld({}, async (world) => {
      const mine = await world.engine.sessions.open(world.sessionId);
      await mine.runStarted('a', { model: 'm' });
      const path = join(world.sessionsFolder, world.sessionId, 'history.jsonl');
      const theirs = [started('x'), started('y')].map((entry) => `${JSON.stringify(entry)}\n`);
      // The other process's entries come first: having as many entries does not mean having the same ones.
      await writeFile(path, `${theirs.join('')}${await readFile(path, 'utf8')}`);
      await mine.catchUp();
      assert.deepEqual(mine.history.flatMap((entry) => (entry.type === 'run-started' ? [entry.runId] : [])).sort(), [
        'a',
        'x',
        'y',
      ]);
    }));

  it('has an entry in memory only once it is on disk', () =>
    withWorld({}, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      const path = join(world.sessionsFolder, world.sessionId, 'history.jsonl');
      await mkdir(path);
      const message = {
        role: 'user',
        id: 'm',
        time: 0,
        steering: false,
        parts: [{ type: 'text', text: 'lost?' }],
      } as const;
      await assert.rejects(session.add({ ...message, parts: [...message.parts] }), /is a folder/);
      assert.deepEqual([session.messages, session.history], [[], []]);
    }));

  it('retries writing to-dos, and reports those that could never be written', () =>
    withWorld({}, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      const path = join(world.sessionsFolder, world.sessionId, 'history.jsonl');
      await mkdir(path);
      session.todos.init(['one']);
      await assert.rejects(session.runFinished('run', { kind: 'cancelled' }, 1), /is a folder/);
      await rm(path, { recursive: true });
      await session.runFinished('run', { kind: 'cancelled' }, 1);
      const again = await (await world.restart()).engine.sessions.open(world.sessionId);
      assert.deepEqual(
        again.todos.items.map(({ text }) => text),
        ['one'],
      );
    }));

  for (const how of ['cancelled', 'out of time'] as const) {
    it(`keeps the question when the run is ${how} while it waits for the other one`, () => {
      const timeIsUp = new Deferred<void>();
      const sleep = (ms: number, signal: AbortSignal) =>
        ms === TIME_MS ? Promise.race([timeIsUp.promise, neverAnswered(signal)]) : ports.clock.sleep(ms, signal);
      return withWorld({ story: [{ say: 'Yes.' }], sleep }, async (world) => {
        const other = await otherWindow(world);
        const handle = world.run('first', { limits: how === 'out of time' ? { timeMs: TIME_MS } : {} });
        const waits = (event: AgentEvent) => {
          if (event.type !== 'state-changed' || event.state !== 'waiting-for-session') return;
          handle.send('second');
          if (how === 'cancelled') handle.cancel();
          else timeIsUp.resolve();
        };
        handle.subscribe(waits);
        assert.ok(['cancelled', 'limit-reached'].includes((await handle.outcome).kind));
        assert.deepEqual(await textsOf(world), []);
        await other.end();
        assert.deepEqual(await textsOf(await world.restart()), ['first', 'second']);
        await world.play('third');
        assert.deepEqual(await textsOf(world), ['first', 'second', 'third', 'Yes.']);
        assert.deepEqual(await textsOf(await world.restart()), ['first', 'second', 'third', 'Yes.']);
        assert.deepEqual((await readdir(join(world.sessionsFolder, world.sessionId))).sort(), [
          'history.jsonl',
          'metadata.json',
        ]);
      });
    });
  }

  it('is not deleted, and its run is not stopped', () =>
    withWorld({ story: [{ say: 'Yes.' }] }, async (world) => {
      const other = await otherWindow(world);
      const handle = world.run('first');
      await assert.rejects(world.engine.deleteSession(world.sessionId), /Stop it there, then delete it/);
      assert.ok(world.engine.runOf(world.sessionId));
      await other.end();
      assert.equal((await handle.outcome).kind, 'completed');
      assert.deepEqual(await world.engine.deleteSession(world.sessionId), [world.sessionId]);
    }));
});

describe('A session in two windows', () => {
  it('keeps the user’s title when the model generates one at the same time', () =>
    withWorld({}, async (world) => {
      const mine = await world.engine.sessions.open(world.sessionId);
      const theirs = await (await world.restart()).engine.sessions.open(world.sessionId);
      await theirs.rename('Sundials');
      assert.equal(await mine.retitle('', 'Fixing the clock'), false);
      assert.equal(mine.metadata.title, 'Sundials');
      assert.equal(await mine.retitle('Sundials', 'Two sundials'), true);
      const [listed] = await world.engine.sessions.list();
      assert.deepEqual([mine.metadata.title, listed?.title], ['Two sundials', 'Two sundials']);
    }));

  it('is reported as active in the other window, and never for its own run', () =>
    withWorld({}, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      assert.equal(await session.heldElsewhere(), false);
      const hold = await session.hold();
      assert.equal(await session.heldElsewhere(), false);
      await hold?.release();
      const other = await otherWindow(world);
      assert.equal(await session.heldElsewhere(), true);
      await other.end();
      assert.equal(await session.heldElsewhere(), false);
    }));
});
