import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApprovalRequest,
  createEngine,
  type Engine,
  EngineError,
  type LibraryOptions,
  type PluginTool,
  type PluginToolContext,
  ResourceKey,
  Resources,
} from '../../src/library';

const EMPTY = { type: 'object', properties: {} } as const;

describe('A tool call by a program outside of a run', () => {
  let folder = '';
  let asked: ApprovalRequest[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-call-'));
    asked = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function withEngine(options: LibraryOptions, use: (engine: Engine) => Promise<void>): Promise<void> {
    const approvals: LibraryOptions['approvals'] = {
      ask(request) {
        asked.push(request);
        return Promise.resolve({ kind: 'once' });
      },
    };
    const engine = createEngine({
      workspace: folder,
      configFolder: join(folder, '.config'),
      env: { OPENAI_API_KEY: 'sk-a-key-nobody-may-see' },
      approvals,
      ...options,
    });
    engine.registerAgent({ name: 'coder', description: 'Writes', prompt: 'You write.' });
    try {
      await use(engine);
    } finally {
      await engine.shutDown();
    }
  }
  const newSession = (engine: Engine) =>
    engine.sessions.create({ workspace: folder, model: null, name: null, approvalMode: 'edits-and-commands' });

  it('reads a file, and leaves no session behind', () =>
    withEngine({}, async (engine) => {
      await writeFile(join(folder, 'a.txt'), 'A heron.');
      const { status, text } = await engine.callTool('fs_read', { path: 'a.txt' }, { workspace: folder });
      assert.equal(status, 'ok');
      assert.match(text, /A heron\./);
      assert.deepEqual(await engine.sessions.list(), []);
      assert.deepEqual(asked, []);
    }));

  it('asks where the rules say so, and shows the change it would make', () =>
    withEngine({}, async (engine) => {
      const input = { path: 'a.txt', contents: 'A heron.' };
      const { id } = await newSession(engine);
      const { status } = await engine.callTool('fs_write', input, { sessionId: id });
      assert.equal(status, 'ok');
      assert.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'A heron.');
      assert.equal(asked.length, 1);
      assert.equal(asked[0]?.sessionId, id);
      assert.ok(asked[0].diff);
      assert.deepEqual((await engine.sessions.open(id)).messages, [], 'no model is ever told');
    }));

  it('is rejected according to the rules, without any effect', () =>
    withEngine({ rules: [{ id: 'read-only', tool: 'category:write', action: 'deny' }] }, async (engine) => {
      const call = engine.callTool('fs_write', { path: 'a.txt', contents: 'x' }, { workspace: folder });
      const { status, text } = await call;
      assert.equal(status, 'rejected');
      assert.match(text, /read-only/);
      await assert.rejects(readFile(join(folder, 'a.txt')), { code: 'ENOENT' });
    }));

  it('is rejected where no user can be asked', () =>
    withEngine({ approvals: { ask: () => Promise.resolve({ kind: 'reject', by: 'nobody' }) } }, async (engine) => {
      const result = await engine.callTool('execute_command', { command: 'rm -r .' }, { workspace: folder });
      assert.equal(result.status, 'rejected');
    }));

  it('keeps a session with a copy of what it changed', () =>
    withEngine({}, async (engine) => {
      await engine.callTool('fs_write', { path: 'a.txt', contents: 'x' }, { workspace: folder });
      const [kept, ...others] = await engine.sessions.list();
      assert.match(kept?.title ?? '', /a\.txt/);
      assert.deepEqual(others, []);
    }));

  it('receives the hidden context, and shows no secret', () => {
    const KEY = new ResourceKey<string>('acme.link');
    const seen: PluginToolContext[] = [];
    const tool: PluginTool = {
      name: 'acme_look',
      description: 'Looks.',
      category: 'read',
      inputSchema: EMPTY,
      run(_, context) {
        seen.push(context);
        return Promise.resolve('The key is sk-a-key-nobody-may-see.');
      },
    };
    return withEngine({ metadata: { of: 'engine', tenant: 'none' } }, async (engine) => {
      engine.registerTool(tool);
      const metadata = { tenant: 'north' };
      const resources = Resources.none.with(KEY, 'a link');
      const { text } = await engine.callTool('acme_look', {}, { workspace: folder, metadata, resources });
      assert.doesNotMatch(text, /sk-a-key/);
      const [context] = seen;
      assert.deepEqual(context?.metadata, { of: 'engine', tenant: 'north' });
      assert.equal(context.resources.need(KEY), 'a link');
      assert.equal(context.turn, 0);
      assert.equal(context.workspace, folder);
    });
  });

  it('is reported by the engine’s events as it happens', () =>
    withEngine({}, async (engine) => {
      const told: string[] = [];
      engine.onEvent(({ type }) => told.push(type));
      await engine.callTool('fs_ls', { path: '.' }, { workspace: folder });
      assert.deepEqual(
        told.filter((type) => type.startsWith('tool-')),
        ['tool-prepared', 'tool-started', 'tool-finished'],
      );
    }));

  it('reports invalid input as an error, before anything happens', () =>
    withEngine({}, async (engine) => {
      const place = { workspace: folder };
      const refused = (error: unknown) => EngineError.is(error, 'invalid-input');
      await assert.rejects(engine.callTool('fs_raed', { path: 'a' }, place), (error: Error) => {
        assert.match(error.message, /There is no tool "fs_raed"/);
        return refused(error);
      });
      await assert.rejects(engine.callTool('fs_read', {}, place), refused);
      await assert.rejects(engine.callTool('agent__list', {}, place), refused);
      await assert.rejects(engine.callTool('fs_ls', { path: '.' }, { sessionId: crypto.randomUUID() }), (error) =>
        EngineError.is(error, 'not-found'),
      );
      assert.deepEqual(await engine.sessions.list(), []);
    }));

  it('returns a failure as a result, and also for a tool that answers later', () =>
    withEngine({}, async (engine) => {
      const missing = await engine.callTool('fs_read', { path: 'none.txt' }, { workspace: folder });
      assert.equal(missing.status, 'error');
      const late: PluginTool = {
        name: 'acme_late',
        description: 'Answers later.',
        category: 'read',
        inputSchema: EMPTY,
        answersLater: true,
        run: () => Promise.resolve(undefined),
      };
      engine.registerTool(late);
      const result = await engine.callTool('acme_late', {}, { workspace: folder });
      assert.equal(result.status, 'error');
      assert.match(result.text, /only a run can wait/);
    }));

  /** A tool that runs until it is stopped and reports when it has started. */
  function endless(began: () => void): PluginTool {
    return {
      name: 'acme_wait',
      description: 'Waits.',
      category: 'read',
      inputSchema: EMPTY,
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
          began();
        }),
    };
  }

  it('can be cancelled', () =>
    withEngine({}, async (engine) => {
      const cancel = new AbortController();
      engine.registerTool(endless(() => cancel.abort()));
      const { status } = await engine.callTool('acme_wait', {}, { workspace: folder, signal: cancel.signal });
      assert.equal(status, 'cancelled');
      assert.deepEqual(await engine.sessions.list(), []);
    }));

  it('ends with its engine, which then accepts no more', () =>
    withEngine({}, async (engine) => {
      let shut: Promise<void> | undefined;
      engine.registerTool(endless(() => void (shut = engine.shutDown())));
      const { status } = await engine.callTool('acme_wait', {}, { workspace: folder });
      assert.equal(status, 'cancelled');
      await shut;
      await assert.rejects(engine.callTool('fs_ls', { path: '.' }, { workspace: folder }), (error) =>
        EngineError.is(error, 'invalid-state'),
      );
    }));

  it('waits for the previous one in its session, and is refused during a run there', () =>
    withEngine({}, async (engine) => {
      const order: string[] = [];
      engine.registerTool({
        name: 'acme_step',
        description: 'Steps.',
        category: 'read',
        inputSchema: EMPTY,
        async run() {
          order.push('begins');
          await Promise.resolve();
          order.push('ends');
          return 'done';
        },
      });
      const { id: sessionId } = await newSession(engine);
      await Promise.all([1, 2].map(() => engine.callTool('acme_step', {}, { sessionId })));
      assert.deepEqual(order, ['begins', 'ends', 'begins', 'ends']);
      const run = engine.run({ sessionId, input: 'Hello', model: 'demo:tour' });
      await assert.rejects(engine.callTool('acme_step', {}, { sessionId }), (error) =>
        EngineError.is(error, 'invalid-state'),
      );
      run.cancel();
      await run.outcome;
    }));
});
