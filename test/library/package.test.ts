import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import { type ModelServer, startModelServer } from '../support/modelServer/modelServer';

const TSC = join(repoRoot, 'node_modules', 'typescript7', 'bin', 'tsc');
const STRICT = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: ['node'] },
    skipLibCheck: false,
  },
};

const RIGHT = `
import { createEngine, defineTool, EngineError, startRun, ToolFailure } from 'cairn';
import type { AgentEvent, LlmFailure, PermissionRule, Provider, RunLimits, SessionMetadata, ToolOutput, Usage } from 'cairn';

const engine = createEngine({ workspace: '.', settings: { model: 'openai:gpt-5' } });
const limits: RunLimits = { turns: 3 };
const rule: PermissionRule = { tool: 'fs_write', action: 'deny' };
export const usage = (event: AgentEvent): Usage | undefined =>
  event.type === 'reply-finished' ? event.message.usage : undefined;
export const said = (failure: LlmFailure): string => failure.message;
export const titles = async (): Promise<string[]> => {
  const all: SessionMetadata[] = await engine.sessions.list();
  return all.map(({ title }) => title);
};
export const provider: Provider = {
  id: 'own',
  label: 'Own',
  needsKey: false,
  isReady: async () => true,
  client: () => ({
    async *stream() {
      yield { type: 'text-delta', text: 'Hello' };
      yield { type: 'finished', reason: 'stop' };
    },
  }),
};
engine.registerProvider(provider);
const run = await startRun(engine, { input: 'hello', workspace: '.', limits, model: 'own:one' });
export const outcome = await run.outcome;
export { EngineError, defineTool, rule, ToolFailure, type ToolOutput };
`;

const NAMES = `import { createEngine, startRun, type AgentEvent, type PermissionRule, type RunLimits } from 'cairn';
const engine = createEngine();
`;
/** Each line is an error on its own. */
const WRONG = [
  `createEngine({ wrokspace: '.' });`,
  `createEngine({ settings: 5 });`,
  `await startRun(engine, { workspace: '.' });`,
  `export const limits: RunLimits = { turns: 'many' };`,
  `export const rule: PermissionRule = { tool: 'fs_write', action: 'perhaps' };`,
  `export const isOver = (event: AgentEvent): boolean => event.type === 'over';`,
  `export const at = (event: AgentEvent): string => (event.type === 'message-taken' ? event.message.time : '');`,
];

describe('The package', function () {
  this.timeout(120_000);
  let root: string;
  let folder: string;
  let server: ModelServer;
  const env = () => ({
    PATH: process.env['PATH'],
    HOME: root,
    CAIRN_CONFIG_DIR: join(root, 'config'),
    OPENAI_BASE_URL: server.url,
    OPENAI_API_KEY: 'test-key',
    CAIRN_MODEL: 'openai:test-model',
  });
  const node = (...args: string[]) =>
    runCommand(process.execPath, args, { cwd: folder, timeoutMs: 60_000, env: env() });
  const guide = () => readFile(join(folder, 'node_modules', 'cairn', 'src', 'library', 'README.md'), 'utf8');

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'cairn-package-'));
    folder = join(root, 'project');
    server = await startModelServer([{ when: () => true, step: { say: 'It holds birds.' } }]);
    await mkdir(join(folder, 'node_modules', '@types'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const task = join(repoRoot, 'test', 'tasks', 'run.mjs');
    const steps: [string, string[], string][] = [
      [process.execPath, [task, 'libraryTypes'], repoRoot],
      ['npm', ['pack', '--ignore-scripts', '--pack-destination', root], repoRoot],
      ['npm', ['install', '--offline', '--ignore-scripts', '--no-audit', join(root, 'cairn-0.1.0.tgz')], folder],
    ];
    for (const [program, args, cwd] of steps) {
      const { code, output } = await runCommand(program, args, { cwd, timeoutMs: 100_000 });
      assert.equal(code, 0, output);
    }
    // The compiler's own type packages are linked, and nothing else, not even zod.
    for (const name of ['node', 'undici-types']) {
      const from = name === 'node' ? join('@types', name) : name;
      await symlink(join(repoRoot, 'node_modules', from), join(folder, 'node_modules', from));
    }
  });
  after(async () => {
    await server.close();
    await rm(root, { recursive: true, force: true });
  });

  it('compiles with a strict program in an otherwise empty folder, and rejects wrong types', async () => {
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...STRICT, files: ['right.mts', 'wrong.mts'] }));
    await writeFile(join(folder, 'right.mts'), RIGHT);
    await writeFile(join(folder, 'wrong.mts'), NAMES + WRONG.join('\n'));
    const { output } = await node(TSC, '-p', 'tsconfig.json', '--pretty', 'false');
    const first = NAMES.split('\n').length;
    const refused = [...output.matchAll(/^(.*)\((\d+),\d+\): error/gm)].map(([, file, line]) => `${file}:${line}`);
    assert.deepEqual(
      refused,
      WRONG.map((_, index) => `wrong.mts:${first + index}`),
      output,
    );
    assert.deepEqual((await readdir(join(folder, 'node_modules'))).sort(), [
      ...['.bin', '.package-lock.json', '@types', 'cairn', 'undici-types'],
    ]);
  });

  it('compiles with a program that requires it', async () => {
    const text = `import cairn = require('cairn');\nexport const engine: cairn.Engine = cairn.createEngine();\n`;
    await writeFile(join(folder, 'own.cts'), text);
    await writeFile(join(folder, 'tsconfig.cts.json'), JSON.stringify({ ...STRICT, files: ['own.cts'] }));
    const { code, output } = await node(TSC, '-p', 'tsconfig.cts.json');
    assert.equal(code, 0, output);
  });

  it('exports the same for import and for require', async () => {
    const show = 'console.log(Object.keys(cairn).sort().join())';
    const imported = await node('--input-type=module', '-e', `import * as cairn from 'cairn'; ${show}`);
    const required = await node('-e', `const cairn = require('cairn'); ${show}`);
    assert.equal(imported.code, 0, imported.output);
    assert.match(imported.output, /^AgentLoader,.*createEngine/);
    assert.equal(required.output.replace(/^.*ExperimentalWarning[^]*?\n(?=AgentLoader)/, ''), imported.output);
  });

  it('reports invalid input before anything runs', async () => {
    const tries = `
      import { createEngine, defineAgent, startRun } from 'cairn';
      const told = (error) => console.log(error.message);
      try { defineAgent({ name: 'a', description: 'A', temprature: 1 }); } catch (error) { told(error); }
      const engine = createEngine();
      await startRun(engine, { input: 'go', workspace: 'missing' }).catch(told);
      await startRun(engine, { input: 'go', workspace: 'package.json' }).catch(told);
      defineAgent({ name: 'b', description: 'B', autoContinue: { on: true, injects: false } });
    `;
    const { code, output } = await node('--input-type=module', '-e', tries);
    assert.equal(code, 0, output);
    assert.match(
      output,
      /temprature[^]*missing is not there\. Pass a folder[^]*package\.json is a file\. Pass a folder/,
    );
  });

  it('includes the guide, whose first example runs as written', async () => {
    const [, example = ''] = /```js\n(import \{ createEngine[^]*?)```/.exec(await guide()) ?? [];
    await writeFile(join(folder, 'example.mjs'), example.replaceAll('/path/to/project', folder));
    const { code, output } = await node('example.mjs');
    assert.equal(code, 0, output);
    assert.match(output, /^It holds birds\./);
    assert.match(output, /kind: 'completed'/);
  });
});
