import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LlmEvent, Message, Model } from '../../src/engine';
import { vscodeLmProvider } from '../../src/host/llm/vscodeLmProvider';
import { vscodeMessages } from '../../src/host/llm/askEditorModel';

const image = { mediaType: 'image/png', data: 'AQID' } as const;
const abilities = { tools: true, forcedCalls: true, vision: false, thinking: false, caching: false };
const model: Model = {
  id: 'vscode:nobody/none',
  label: 'None',
  contextWindow: null,
  maxOutputTokens: null,
  prices: null,
  abilities,
};

describe('The editor’s own models', () => {
  it('are empty where no extension provides one, without a delay', async () => {
    const provider = vscodeLmProvider();
    assert.deepEqual(await provider.listModels?.(new AbortController().signal), []);
    assert.equal(await provider.isReady(), false);
  });

  it('report what to do when one is gone', async () => {
    const events: LlmEvent[] = [];
    const client = vscodeLmProvider().client(model);
    const request = { system: 'Be brief.', messages: [], tools: [] };
    for await (const event of client.stream(request, new AbortController().signal)) events.push(event);
    const [last] = events;
    assert.ok(events.length === 1 && last?.type === 'failed');
    assert.equal(last.failure.reason, 'unknown-model');
    assert.match(last.failure.message, /no model "vscode:nobody\/none".*Choose another/);
  });

  it('receive a conversation with calls, results and images', () => {
    const at = { id: 'm', time: 0 };
    const call = { id: 'c', name: 'fs_read', arguments: '{"path":"a"}' };
    const talk: Message[] = [
      {
        ...at,
        role: 'user',
        steering: false,
        parts: [
          { type: 'text', text: 'Look' },
          { type: 'image', image },
        ],
      },
      {
        ...{ ...at, role: 'assistant', agent: 'coder', model: 'p:m', finish: 'tool-calls' },
        parts: [
          { type: 'thinking', text: 'Hm' },
          { type: 'tool-call', call },
        ],
      },
      {
        ...{ ...at, role: 'tool' },
        results: [{ callId: 'c', name: 'fs_read', status: 'error', text: 'none', detail: null, durationMs: 1 }],
      },
    ];
    const { User, Assistant } = vscode.LanguageModelChatMessageRole;
    const sent = vscodeMessages('Be brief.', talk);
    assert.deepEqual(
      sent.map(({ role }) => role),
      [User, User, Assistant, User],
    );
    const [, shown, asked, answered] = sent.map(({ content }) => content);
    assert.ok(shown?.[1] instanceof vscode.LanguageModelDataPart);
    assert.deepEqual([...shown[1].data], [1, 2, 3]);
    assert.ok(asked?.length === 1 && asked[0] instanceof vscode.LanguageModelToolCallPart);
    assert.deepEqual(asked[0].input, { path: 'a' });
    assert.ok(answered?.[0] instanceof vscode.LanguageModelToolResultPart);
    assert.match(JSON.stringify(answered[0].content), /Error: none/);
  });
});
