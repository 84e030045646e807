import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { McpLink } from '../../src/engine';
import { nodeMcpConnector } from '../../src/node/mcp/nodeMcpConnector';
import { repoRoot } from '../editor/repoRoot';
import { until } from '../editor/until';
import { memorySignIns } from '../support/memorySignIns';
import type { Story } from '../support/modelServer/story';
import { inShell } from './inShell';

const { signal } = new AbortController();
const resultSchema = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string() })),
  isError: z.optional(z.boolean()),
  structuredContent: z.optional(z.object({ session: z.string(), outcome: z.string() })),
});
const listSchema = z.object({ tools: z.array(z.object({ name: z.string(), description: z.string() })) });

interface Served {
  link: McpLink;
  folder: string;
  /** What it said of how far it was. */
  progress: string[];
  /** Lets the model go on where its answer is held. */
  release: (hold: string) => void;
  call: (name: string, input: Record<string, unknown>, stop?: AbortSignal) => Promise<z.infer<typeof resultSchema>>;
}

/** The command as a server, reached as any program reaches one. */
function withServe(story: Story, args: readonly string[], use: (served: Served) => Promise<void>): Promise<void> {
  return inShell(story, async ({ folder, server }) => {
    const env = {
      CAIRN_CONFIG_DIR: join(folder, 'config'),
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: 'test-key',
      OLLAMA_HOST: '127.0.0.1:9',
    };
    const command = [
      join(repoRoot, 'dist/cairn.mjs'),
      'mcp',
      'serve',
      '-C',
      folder,
      '-m',
      'openai:test-model',
      ...args,
    ];
    const launch = { type: 'stdio', command: process.execPath, args: command, cwd: folder, env } as const;
    const options = { timeoutMs: 30_000, secrets: [], onEnd: () => undefined, onListsChanged: () => undefined };
    const connector = nodeMcpConnector({ env: process.env, fetch, signIns: memorySignIns() });
    const link = await connector.connect(launch, options, signal);
    const progress: string[] = [];
    const calling = { timeoutMs: 30_000, onProgress: (text: string) => void progress.push(text) };
    try {
      await use({
        ...{ link, folder, progress, release: (hold) => server.release(hold) },
        call: async (name, input, stop = signal) =>
          resultSchema.parse(await link.callTool(name, input, { ...calling, signal: stop })),
      });
    } finally {
      await link.close();
    }
  });
}

const write = { name: 'fs_write', arguments: { path: 'made.txt', contents: 'made' } };

describe('cairn mcp serve', function () {
  this.timeout(60_000);

  it('offers its agents and tools to another program, and does what that calls', () =>
    withServe([], [], async ({ link, folder, call }) => {
      const { tools } = listSchema.parse(await link.listTools(undefined, signal));
      const names = tools.map(({ name }) => name);
      assert.equal(names[0], 'run_agent');
      assert.match(tools[0]?.description ?? '', /^sisyphus: /m);
      for (const name of ['fs_read', 'fs_grep', 'fs_write', 'execute_command']) assert.ok(names.includes(name), name);
      for (const name of names) assert.doesNotMatch(name, /^(agent|skill|user|todo)__/);
      await writeFile(join(folder, 'heron.txt'), 'A heron.\n');
      assert.match((await call('fs_cat', { path: 'heron.txt' })).content[0]?.text ?? '', /A heron/);
      const wrong = await call('fs_cat', { path: 'none.txt' });
      assert.equal(wrong.isError, true);
      const unknown = await call('agent__spawn', {});
      assert.match(unknown.content[0]?.text ?? '', /no tool “agent__spawn”/);
    }));

  it('runs an agent to its answer, tells how far it is, and goes on in its session', () =>
    withServe(
      [{ call: [write] }, { say: 'It is made.', hold: 'told' }, (request) => ({ say: `Again: ${request.lastText}` })],
      ['--approve', 'all'],
      async ({ folder, call, progress, release }) => {
        const running = call('run_agent', { prompt: 'make it', agent: 'coder' });
        await until('it to say how far it is', () => /made\.txt/.test(progress.join('\n')));
        release('told');
        const done = await running;
        assert.match(done.content[0]?.text ?? '', /It is made\./);
        assert.equal(await readFile(join(folder, 'made.txt'), 'utf8'), 'made');
        const { session, outcome } = done.structuredContent ?? assert.fail('nothing is told of the session');
        assert.equal(outcome, 'completed');
        const again = await call('run_agent', { prompt: 'and now?', session });
        assert.match(again.content[0]?.text ?? '', /Again: and now\?/);
        assert.equal(again.structuredContent?.session, session);
      },
    ));

  it('refuses what a person would be asked about, as every run without one', () =>
    withServe([{ call: [write] }, { say: 'I may not.' }], [], async ({ folder, call }) => {
      const refused = await call('fs_write', write.arguments);
      assert.equal(refused.isError, true);
      assert.match(refused.content[0]?.text ?? '', /--approve none/);
      await call('run_agent', { prompt: 'make it' });
      assert.equal(existsSync(join(folder, 'made.txt')), false);
    }));

  it('stops an agent that is not wanted any more, and says what does not fit', () =>
    withServe([{ say: 'A long answer', chunk: 4, hold: 'long' }], [], async ({ call }) => {
      const stop = new AbortController();
      const running = call('run_agent', { prompt: 'talk' }, stop.signal);
      stop.abort();
      await assert.rejects(running);
      assert.match((await call('run_agent', { task: 'x' })).content[0]?.text ?? '', /prompt/);
      assert.match(
        (await call('run_agent', { prompt: 'x', agent: 'nobody' })).content[0]?.text ?? '',
        /no agent “nobody”/,
      );
    }));
});
