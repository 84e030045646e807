import assert from 'node:assert/strict';
import { checkSettings } from '../../../src/host/checkSettings';

describe('Invalid settings', () => {
  it('are reported one by one, and the valid ones next to them are kept', () => {
    const { settings, problems } = checkSettings({
      model: 5,
      approvalMode: 'never',
      openai: { baseUrl: 'ftp://example.org', api: 'chat' },
      ollama: { baseUrl: 'http://127.0.0.1:1' },
      providers: { baseUrls: { groq: 'nowhere', nobody: 'http://a.b', mistral: 'https://c.d' } },
      models: [{ id: 'no colon', label: 'A' }, { id: 'custom:b', label: 'B' }, 'c', { id: 'custom:d', label: 'D' }],
    });
    const names = problems.map((problem) => /^Setting (\S+): .+\. It is ignored until/.exec(problem)?.[1]);
    assert.deepEqual(names.sort(), [
      'cairn.approvalMode',
      'cairn.model',
      'cairn.models.0.id',
      'cairn.models.2',
      'cairn.openai.baseUrl',
      'cairn.providers.baseUrls.groq',
      'cairn.providers.baseUrls.nobody',
    ]);
    assert.equal(settings.model, undefined);
    assert.equal(settings.approvalMode, 'edits-and-commands');
    assert.deepEqual(settings.openai, { api: 'chat' });
    assert.equal(settings.ollama.baseUrl, 'http://127.0.0.1:1');
    assert.deepEqual(settings.providers.baseUrls, { mistral: 'https://c.d' });
    assert.deepEqual(
      settings.models.map(({ label }) => label),
      ['B', 'D'],
    );
  });

  it('never prevent the rest from working, whatever they are', () => {
    for (const value of [null, 0, 'x', [], {}, [null], { x: { y: [] } }, true, Number.NaN]) {
      for (const name of ['model', 'approvalMode', 'openai', 'ollama', 'providers', 'models', 'unheard-of']) {
        const { settings } = checkSettings({ anthropic: { baseUrl: 'https://a.b' }, [name]: value });
        assert.equal(settings.anthropic.baseUrl, 'https://a.b', `${name}: ${JSON.stringify(value)}`);
        assert.equal(settings.approvalMode, 'edits-and-commands');
      }
    }
  });

  it('are all reported even if there are too many to keep any', () => {
    const models = Array.from({ length: 60 }, (_, at) => ({ id: `no colon ${at}`, label: 'A' }));
    const { settings, problems } = checkSettings({ model: 'openai:gpt-5', models });
    assert.ok(problems.length >= 50, String(problems.length));
    assert.deepEqual(settings.models, []);
  });
});
