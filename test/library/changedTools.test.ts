import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Engine, EngineError, type PluginTool, type ToolOutput } from '../../src/library';

describe('A tool modified by a program', () => {
  let folder = '';
  let engine: Engine;
  let asked: string[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-wrapped-'));
    await writeFile(join(folder, 'a.txt'), 'A heron.');
    asked = [];
    const ask = ({ title }: { title: string }) => {
      asked.push(title);
      return Promise.resolve({ kind: 'once' as const });
    };
    engine = createEngine({ workspace: folder, configFolder: join(folder, '.config'), env: {}, approvals: { ask } });
    engine.registerAgent({ name: 'coder', description: 'Writes', prompt: 'You write.' });
  });
  afterEach(async () => {
    await engine.shutDown();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (tool: string, input: Readonly<Record<string, unknown>>) =>
    engine.callTool(tool, input, { workspace: folder });
  const readA = async () => (await call('fs_read', { path: 'a.txt' })).text;
  const search: PluginTool = {
    name: 'fs_grep',
    description: 'Searches an index.',
    category: 'execute',
    inputSchema: { type: 'object', properties: { pattern: { type: 'string' } }, required: ['pattern'] },
    permission: () => ({ command: 'index --search' }),
    run: ({ pattern }) => Promise.resolve(`Nothing about ${String(pattern)}.`),
  };
  const isOf = (reason: 'not-found' | 'exists' | 'invalid-input', says: RegExp) => (error: unknown) =>
    EngineError.is(error, reason) && says.test(error.message);

  it('is wrapped, the last wrapper outermost, until disposed', async () => {
    const first = engine.wrapTool('fs_read', async ({ next }) => `(${(await next()).text})`);
    const second = engine.wrapTool('fs_read', async ({ input, context, next }) => {
      assert.deepEqual(input, { path: 'a.txt' });
      assert.equal(context.workspace, folder);
      return { text: `[${(await next()).text}]` };
    });
    assert.match(await readA(), /^\[\([^]*A heron\.[^]*\)\]$/);
    first.dispose();
    assert.match(await readA(), /^\[[^(][^]*A heron\.[^]*\]$/);
    second.dispose();
    assert.match(await readA(), /^[^[(][^]*A heron\.[^\])]*$/);
  });

  it('still asks for approval when wrapped, and the wrapper does not see rejected calls', async () => {
    const denied = engine.rules.add({ id: 'closed', tool: 'fs_read', action: 'deny' });
    let heard = 0;
    engine.wrapTool('fs_read', ({ next }) => {
      heard++;
      return next();
    });
    assert.equal((await call('fs_read', { path: 'a.txt' })).status, 'rejected');
    assert.equal(heard, 0);
    denied.dispose();
    assert.match(await readA(), /A heron/);
    assert.equal(heard, 1);
  });

  it('can be answered by its wrapper alone, and a failing wrapper fails the call', async () => {
    const answering = engine.wrapTool('fs_read', () => Promise.resolve('Nothing to see.'));
    assert.equal(await readA(), 'Nothing to see.');
    answering.dispose();
    engine.wrapTool('fs_read', () => Promise.reject(new Error('the vault is shut')));
    const { status, text } = await call('fs_read', { path: 'a.txt' });
    assert.equal(status, 'error');
    assert.match(text, /the vault is shut/);
  });

  it('fails with a message if its wrapper returns nothing', async () => {
    const given: unknown = undefined;
    const isOutput = (value: unknown): value is ToolOutput => value === given;
    engine.wrapTool('fs_read', () => Promise.resolve(isOutput(given) ? given : ''));
    assert.match(await readA(), /wrapper of fs_read returned no result/);
  });

  it('is replaced with new input, category and permission, until disposed', async () => {
    const replaced = engine.replaceTool(search);
    assert.equal(engine.tools.get('fs_grep')?.category, 'execute');
    assert.equal((await call('fs_grep', { pattern: 'heron' })).text, 'Nothing about heron.');
    assert.equal(asked.length, 1, 'it is asked about as what runs commands');
    await assert.rejects(call('fs_grep', {}), isOf('invalid-input', /pattern/));
    replaced.dispose();
    assert.match((await call('fs_grep', { pattern: 'heron', path: '.' })).text, /a\.txt/);
    assert.equal(asked.length, 1);
  });

  it('is never replaced by merely registering another of the same name', () => {
    assert.throws(() => engine.registerTool(search), isOf('exists', /replaceTool/));
  });

  it('cannot be hidden from the chat', () => {
    const quiet = engine.tools.all.find(({ traits }) => traits?.quiet) ?? assert.fail('no tool is quiet');
    engine.replaceTool({ ...search, name: quiet.name, category: quiet.category });
    const { traits } = engine.tools.get(quiet.name) ?? {};
    assert.equal(traits?.kind, quiet.traits?.kind, 'what it is for is still known');
    assert.equal(traits?.quiet, undefined);
  });

  it('must exist', () => {
    assert.throws(() => engine.wrapTool('fs_raed', ({ next }) => next()), isOf('not-found', /Did you mean “fs_read”/));
    assert.throws(() => engine.replaceTool({ ...search, name: 'acme_none' }), isOf('not-found', /acme_none/));
  });

  it('of another owner can be wrapped, and is gone once unregistered', async () => {
    const own = engine.registerTool({ ...search, name: 'acme_search', category: 'read' });
    const wrapped = engine.wrapTool('acme_search', async ({ next }) => (await next()).text.toUpperCase());
    assert.equal((await call('acme_search', { pattern: 'a' })).text, 'NOTHING ABOUT A.');
    own.dispose();
    await assert.rejects(call('acme_search', { pattern: 'a' }), isOf('invalid-input', /There is no tool/));
    wrapped.dispose();
  });
});
