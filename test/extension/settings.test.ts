import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AgentEvent } from '../../src/engine';
import type { CairnApi } from '../../src/library/cairnApi';
import { until } from '../editor/until';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import { type ModelServer, startModelServer } from '../support/modelServer/modelServer';
import type { Story } from '../support/modelServer/story';

const KEYS = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GROQ_API_KEY', 'CUSTOM_API_KEY', 'OLLAMA_API_KEY'];
const SKILL = 'git-master';
const OTHER_SKILL = 'code-review';
const plan = { call: [{ name: 'todo__init', arguments: { todos: ['one'] } }] };
const look = { call: [{ name: 'todo__list', arguments: {} }] };
const write = { call: [{ name: 'fs_write', arguments: { path: 'from-settings.txt', contents: 'x\n' } }] };

async function api(): Promise<CairnApi> {
  const extension = vscode.extensions.getExtension<CairnApi | undefined>('cairn-agents.cairn');
  return (await extension?.activate()) ?? assert.fail('Cairn gives no API');
}

describe('The settings', () => {
  const before = new Map(KEYS.map((key) => [key, process.env[key]]));
  const changed = new Set<string>();
  let server: ModelServer | undefined;

  beforeEach(() => {
    for (const key of KEYS) process.env[key] = 'test-key';
  });
  afterEach(async () => {
    for (const name of changed) await vscode.workspace.getConfiguration('cairn').update(name, undefined, true);
    changed.clear();
    for (const [key, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, key);
      else process.env[key] = value;
    }
    await server?.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function set(name: string, value: unknown): Promise<void> {
    changed.add(name);
    await vscode.workspace.getConfiguration('cairn').update(name, value, true);
  }

  async function play(
    story: Story,
    model = 'openai:test-model',
    agent?: string,
  ): Promise<{ events: AgentEvent[]; requests: ModelRequest[] }> {
    server = await startModelServer(story);
    await set('openai.baseUrl', server.url);
    return ask(model, server, agent);
  }

  async function ask(
    model: string,
    { requests }: ModelServer,
    agent?: string,
  ): Promise<{ events: AgentEvent[]; requests: ModelRequest[] }> {
    const events: AgentEvent[] = [];
    const run = await (await api()).run({ input: 'hello', model, ...(agent !== undefined && { agent }) });
    run.subscribe((event) => events.push(event));
    const outcome = await run.outcome;
    assert.equal(outcome.kind, 'completed', JSON.stringify(outcome));
    return { events, requests };
  }

  const offers = ({ requests }: { requests: readonly ModelRequest[] }, tool: string) =>
    requests[0]?.tools.includes(tool) ?? false;
  const prompt = ({ requests }: { requests: readonly ModelRequest[] }) =>
    requests[0]?.messages.map(({ text }) => text).join('\n') ?? '';

  for (const [setting, model] of [
    ['openai.baseUrl', 'openai:test-model'],
    ['anthropic.baseUrl', 'anthropic:test-model'],
    ['ollama.baseUrl', 'ollama:test-model'],
    ['custom.baseUrl', 'custom:test-model'],
  ] as const) {
    it(`${setting} sets the address of the model`, async () => {
      server = await startModelServer([{ say: 'Here.' }]);
      await set(setting, setting.startsWith('ollama') ? server.url.replace(/\/v1$/, '') : server.url);
      await ask(model, server);
      assert.equal(server.requests[0]?.model, 'test-model');
    });
  }

  it('providers.baseUrls sets it for the others', async () => {
    server = await startModelServer([{ say: 'Here.' }]);
    await set('providers.baseUrls', { groq: server.url });
    await ask('groq:test-model', server);
    assert.equal(server.requests[0]?.model, 'test-model');
  });

  for (const dialect of ['chat', 'responses'] as const) {
    it(`openai.api makes OpenAI use ${dialect}`, async () => {
      await set('openai.api', dialect);
      const { requests } = await play([{ say: 'Here.' }]);
      assert.equal(requests[0]?.dialect, dialect);
    });
  }

  it('autoContinue makes an agent without its own value continue open to-dos, up to autoContinueLimit', async () => {
    const agent = { name: 'idler', description: 'Plans, and rests', prompt: 'You plan.' };
    const registered = (await api()).registerAgent(agent);
    const story = [plan, { say: 'A.' }, look, { say: 'B.' }, look, { say: 'C.' }, look, { say: 'D.' }];
    const continued = async () => {
      const { events } = await play(story, 'openai:test-model', agent.name);
      await server?.close();
      return events.filter(({ type }) => type === 'auto-continued').length;
    };
    try {
      assert.equal(await continued(), 0);
      await set('autoContinue', true);
      await set('autoContinueLimit', 2);
      assert.equal(await continued(), 2);
    } finally {
      registered.dispose();
    }
  });

  it('skills.enabled removes all skills when it is off', async () => {
    assert.match(prompt(await play([{ say: 'Here.' }])), new RegExp(SKILL));
    await server?.close();
    await set('skills.enabled', false);
    const without = await play([{ say: 'Here.' }]);
    assert.doesNotMatch(prompt(without), new RegExp(SKILL));
    assert.equal(offers(without, 'skill__load'), false);
  });

  for (const setting of ['skills.visible', 'skills.byDefault']) {
    it(`${setting} allows only the skills that it lists`, async () => {
      await set(setting, [SKILL]);
      const text = prompt(await play([{ say: 'Here.' }]));
      assert.match(text, new RegExp(SKILL));
      assert.doesNotMatch(text, new RegExp(OTHER_SKILL));
    });
  }

  it('edits.openDiff opens the diff of a pending edit automatically if it is “always”', async () => {
    const isOpen = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'cairn-proposal');
    await set('approvalMode', 'edits-and-commands');
    for (const choice of ['on-request', 'always']) {
      await set('edits.openDiff', choice);
      server = await startModelServer([write]);
      await set('openai.baseUrl', server.url);
      const run = await (await api()).run({ input: 'write', model: 'openai:test-model', show: true });
      const asked = new Promise((resolve) => {
        run.subscribe(({ type }) => {
          if (type === 'approval-requested') resolve(undefined);
        });
      });
      await asked;
      if (choice === 'always') await until('the diff to be open', async () => isOpen());
      else assert.equal(isOpen(), false);
      run.cancel();
      await run.outcome;
      await server.close();
    }
  });
});
