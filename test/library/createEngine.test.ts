import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import {
  AgentRuntimeBuilder,
  createEngine,
  defineAgent,
  EngineError,
  type LibraryOptions,
  type LlmRequest,
  type Provider,
  startRun,
} from '../../src/library';

/** A model that writes a file, then answers with the tool's result, and records its requests. */
function scripted(asked: LlmRequest[]): Provider {
  return {
    id: 'scripted',
    label: 'Scripted',
    needsKey: false,
    isReady: () => Promise.resolve(true),
    client: () => ({
      async *stream(request) {
        asked.push(request);
        const last = request.messages.at(-1);
        if (last?.role === 'tool') {
          yield { type: 'text-delta', text: last.results[0]?.text ?? '' };
          yield { type: 'finished', reason: 'stop' };
          return;
        }
        const call = { id: 'call', name: 'fs_write', arguments: '{"path":"a.txt","contents":"a"}' };
        yield { type: 'tool-call', call };
        yield { type: 'finished', reason: 'tool-calls' };
      },
    }),
  };
}

describe('An engine in a program', () => {
  let folder = '';
  const asked: LlmRequest[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-library-'));
    asked.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function answer(options: LibraryOptions, run: { agent: string; model?: string }) {
    const engine = createEngine({ workspace: folder, configFolder: join(folder, 'config'), env: {}, ...options });
    engine.registerProvider(scripted(asked));
    try {
      return await (
        await startRun(engine, { input: 'Write.', workspace: folder, ...run })
      ).outcome;
    } finally {
      await engine.shutDown();
    }
  }
  const writer = defineAgent({ name: 'writer', description: 'Writes', prompt: 'You write.' });

  it('rejects what it would have to ask when no user is available', async () => {
    const agents = new AgentRuntimeBuilder().catalog([writer]).defaults({ model: 'scripted/any' }).build();
    const outcome = await answer({ agents }, { agent: 'writer' });
    assert.equal(outcome.kind, 'rejected');
    const approvals = { ask: () => Promise.resolve({ kind: 'once' as const }) };
    assert.equal((await answer({ agents, approvals }, { agent: 'writer' })).kind, 'completed');
  });

  it('fails without a key, naming the variables, and does not start the tour on its own', async () => {
    const agents = new AgentRuntimeBuilder().catalog([writer]).build();
    const outcome = await answer({ agents, env: { OLLAMA_HOST: '127.0.0.1:9' } }, { agent: 'writer' });
    assert.ok(outcome.kind === 'failed' && outcome.reason === 'no-key', JSON.stringify(outcome));
    assert.match(outcome.message, /OPENAI_API_KEY, ANTHROPIC_API_KEY/);
  });

  it('gives agents the tools, the temperature and the depth that they were built with', async () => {
    const tools = [
      { name: 'fs_read', category: 'read' },
      { name: 'fs_write', category: 'write' },
      { name: 'task', category: 'agent' },
    ] as const;
    const builder = new AgentRuntimeBuilder().catalog([
      { ...writer, taskTargets: [{ pattern: '*', action: 'allow' }] },
    ]);
    builder.tools(tools).defaults({ model: 'scripted:any', temperature: 0.3 });
    const shallow = builder.maxTaskDepth(0).build();
    await answer({ agents: shallow }, { agent: 'writer' });
    assert.deepEqual(
      asked[0]?.tools.map(({ name }) => name),
      shallow.allowedTools('writer').map(({ name }) => name),
    );
    assert.deepEqual(
      asked[0].tools.map(({ name }) => name),
      ['fs_read', 'fs_write'],
    );
    asked.length = 0;
    await answer({ agents: builder.maxTaskDepth(1).build() }, { agent: 'writer' });
    assert.deepEqual(asked[0].tools.map(({ name }) => name).sort(), ['fs_read', 'fs_write', 'task']);
  });

  const misfits: [Record<string, unknown>, RegExp][] = [
    [{ workspce: '.' }, /“workspce” \(did you mean “workspace”\?\)/],
    [{ tools: [] }, /unknown field “tools”/],
    [{ workspace: 5 }, /“workspace”: expected string/],
    [{ settings: { modle: 'a:b' } }, /“settings”: unknown field “modle” \(did you mean “model”\?\)/],
    [{ settings: { idleTimeout: 'long' } }, /“settings.idleTimeout”/],
    [{ ports: { proceses: {} } }, /“ports”.*“proceses” \(did you mean “processes”\?\)/],
    [{ agents: [{ name: 'a' }] }, /“agents”: expected what AgentRuntimeBuilder/],
    [{ approvals: () => 'once' }, /“approvals”: expected object/],
    [{ approvals: {} }, /“approvals.ask”: expected a function/],
    [{ prompter: {} }, /“prompter.ask”: expected a function/],
    [{ log: { warn: () => undefined } }, /“log.info”: expected a function/],
    [{ sessions: {} }, /“sessions”: expected a function that creates a store/],
    [{ contextStrategy: { name: 'short' } }, /“contextStrategy.fit”: expected a function/],
  ];
  for (const [misfit, names] of misfits) {
    it(`is not created with an invalid option: ${JSON.stringify(misfit)}`, () => {
      const options = z.custom<LibraryOptions>(() => true).parse({ configFolder: folder, env: {}, ...misfit });
      assert.throws(
        () => createEngine(options),
        (error) => EngineError.is(error, 'invalid-input') && names.test(error.message),
      );
    });
  }

  it('reports which setting or variable is invalid', () => {
    const env = { OPENAI_BASE_URL: 'nowhere' };
    const isNamed = (error: unknown) => EngineError.is(error, 'invalid-input') && /OPENAI_BASE_URL/.test(error.message);
    assert.throws(() => createEngine({ env, configFolder: folder }), isNamed);
  });
});
