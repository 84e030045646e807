import assert from 'node:assert/strict';
import { fillTemplate } from '../../../src/base/template';
import { type MachineFacts, specialVariables } from '../../../src/engine/content/specialVariables';

const NOW = Date.UTC(2026, 10, 28, 5, 3, 9);
const filled = (text: string, facts: MachineFacts) =>
  fillTemplate(text, specialVariables({ workspace: '/w', now: NOW, tools: [], ...facts }));

describe('What a prompt may name of the machine', () => {
  for (const [platform, words] of [
    ['darwin', 'macos unix sh'],
    ['win32', 'windows windows cmd'],
    ['linux', 'linux unix sh'],
  ] as const) {
    it(`is named for ${platform}`, () => {
      assert.equal(filled('{{__os__}} {{__os_family__}} {{__shell__}}', { platform }), words);
    });
  }

  it('is what is known, and a plain word for what is not', () => {
    const text = '{{__os_distro__}}, {{__arch__}}, {{__shell__}}, {{__locale__}}, {{__cwd__}}, {{__nothing__}}';
    const facts = { distribution: () => 'Debian 12', architecture: 'arm64', shell: 'fish', locale: () => 'de-CH' };
    assert.equal(filled(text, { platform: 'linux', ...facts }), 'Debian 12, arm64, fish, de-CH, /w, {{__nothing__}}');
    assert.equal(filled(text, { platform: 'darwin' }), 'macos, unknown, sh, en-US, /w, {{__nothing__}}');
  });

  it('includes the time, with seconds and the offset of the machine', () => {
    const time = filled('{{__now__}}', { platform: 'linux' });
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:09(?:Z|[+-]\d\d:\d\d)$/);
    assert.equal(Date.parse(time), NOW);
  });
});
