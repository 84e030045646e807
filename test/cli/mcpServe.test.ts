import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { McpCallOptions } from '../../src/engine/mcp/mcpConnector';
import type { ServerAnswer } from '../../src/engine/mcp/questions/answerServer';
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
const questionSchema = z.object({ message: z.string() });
const listSchema = z.object({ tools: z.array(z.object({ name: z.string(), description: z.string() })) });

interface Served {
  link: McpLink;
  folder: string;
  /** The progress messages received so far. */
  progress: string[];
  /** Lets the model continue an answer that is held. */
  release: (hold: string) => void;
  call: (
    name: string,
    input: Record<string, unknown>,
    stop?: AbortSignal,
    onQuestion?: McpCallOptions['onQuestion'],
  ) => Promise<z.infer<typeof resultSchema>>;
}

/** Starts the command as a server and connects to it as any client would. */
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
    const options = {
      timeoutMs: 30_000,
      secrets: [],
      onSaid: () => undefined,
      onEnd: () => undefined,
      onListsChanged: () => undefined,
    };
    const connector = nodeMcpConnector({ env: process.env, fetch, signIns: memorySignIns() });
    const link = await connector.connect(launch, options, signal);
    const progress: string[] = [];
    const calling = { timeoutMs: 30_000, onProgress: (text: string) => void progress.push(text) };
    try {
      await use({
        ...{ link, folder, progress, release: (hold) => server.release(hold) },
        call: async (name, input, stop = signal, onQuestion) =>
          resultSchema.parse(
            await link.callTool(name, input, { ...calling, signal: stop, ...(onQuestion && { onQuestion }) }),
          ),
      });
    } finally {
      await link.close();
    }
  });
}

const write = { name: 'fs_write', arguments: { path: 'made.txt', contents: 'made' } };

describe('cairn mcp serve', function () {
  this.timeout(60_000);

  it('offers its agents and tools to an MCP client and runs their calls', () =>
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

  it('runs an agent to its answer, reports progress, and continues its session', () =>
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

  it('rejects whatever needs approval, like any run without a user', () =>
    withServe([{ call: [write] }, { say: 'I may not.' }], [], async ({ folder, call }) => {
      const refused = await call('fs_write', write.arguments);
      assert.equal(refused.isError, true);
      assert.match(refused.content[0]?.text ?? '', /--approve none/);
      await call('run_agent', { prompt: 'make it' });
      assert.equal(existsSync(join(folder, 'made.txt')), false);
    }));

  it('asks for approval through the client and does only what it allows', () =>
    withServe(
      [{ call: [write] }, (request) => ({ say: `Told: ${request.lastText}` })],
      ['--approve', 'ask'],
      async ({ folder, call }) => {
        const asked: unknown[] = [];
        const answering = (answer: ServerAnswer) => (question: unknown) => {
          asked.push(question);
          return Promise.resolve(answer);
        };
        const allow = answering({ action: 'accept', content: { answer: 'Allow' } });
        const reject = answering({ action: 'accept', content: { answer: 'Reject', reason: 'Not there.' } });
        const refused = await call('run_agent', { prompt: 'make it', agent: 'coder' }, signal, reject);
        assert.match(refused.content[0]?.text ?? '', /Told:[^]*Not there\./);
        assert.equal(existsSync(join(folder, 'made.txt')), false);
        const { message } = questionSchema.parse(asked[0]);
        assert.match(message, /^coder: Write made\.txt\n/);
        assert.match(message, /^ {2}\+made$/m);
        for (const unclear of [
          { action: 'decline' },
          { action: 'cancel' },
          { action: 'accept', content: {} },
        ] as const) {
          const said = await call('fs_write', write.arguments, signal, answering(unclear));
          assert.equal(said.isError, true);
        }
        assert.equal(existsSync(join(folder, 'made.txt')), false);
        const made = await call('fs_write', write.arguments, signal, allow);
        assert.notEqual(made.isError, true);
        assert.equal(await readFile(join(folder, 'made.txt'), 'utf8'), 'made');
      },
    ));

  it('does not ask for approval of what cannot be shown in full or is deceptive', () =>
    withServe([], ['--approve', 'ask'], async ({ call, folder }) => {
      const asked: unknown[] = [];
      const allow = (question: unknown) => {
        asked.push(question);
        return Promise.resolve({ action: 'accept' as const, content: { answer: 'Allow' } });
      };
      const long = await call('fs_write', { path: 'long.txt', contents: 'line\n'.repeat(500) }, signal, allow);
      assert.match(long.content[0]?.text ?? '', /to show in full/);
      const unseen = await call('execute_command', { command: 'echo a\u202Eb' }, signal, allow);
      assert.match(unseen.content[0]?.text ?? '', /characters that the program/);
      assert.deepEqual(asked, []);
      assert.equal(existsSync(join(folder, 'long.txt')), false);
    }));

  it('withdraws its question when the call is cancelled', () =>
    withServe([], ['--approve', 'ask'], async ({ call, folder }) => {
      const stop = new AbortController();
      let wasTakenBack = false;
      const running = call('fs_write', write.arguments, stop.signal, (_, asking) => {
        asking.addEventListener('abort', () => (wasTakenBack = true));
        stop.abort();
        return new Promise(() => undefined);
      });
      await assert.rejects(running);
      await until('the question to be taken back', () => wasTakenBack);
      assert.equal(existsSync(join(folder, 'made.txt')), false);
    }));

  it('reports that no one can be asked when the client does not support forms', () =>
    inShell([], async ({ folder, server }) => {
      const env = { ...getDefaultEnvironment(), CAIRN_CONFIG_DIR: join(folder, 'config'), OPENAI_BASE_URL: server.url };
      const args = [join(repoRoot, 'dist/cairn.mjs'), 'mcp', 'serve', '-C', folder, '--approve', 'ask'];
      const client = new Client({ name: 'plain', version: '1' });
      await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
      try {
        const said = resultSchema.parse(await client.callTool(write));
        assert.equal(said.isError, true);
        assert.match(said.content[0]?.text ?? '', /cannot show forms/);
      } finally {
        await client.close();
      }
    }));

  it('stops an agent when its call is cancelled, and reports invalid arguments', () =>
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
