import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pressKey } from '../editor/pressKey';
import { story } from '../editor/story';
import { pageFrame } from '../editor/pageFrame';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';

/** A usage record from some days ago. */
function record(daysAgo: number, given: Record<string, unknown>): string {
  const time = Date.now() - daysAgo * 86_400_000;
  const whose = { time, folder: '/work/other', agent: 'sisyphus', model: 'anthropic:claude-opus-4-8' };
  const used = { requests: 3, inputTokens: 52_000, cachedInputTokens: 40_000, outputTokens: 4_000 };
  return JSON.stringify({ ...whose, ...used, costUsd: 0.42, unpriced: 0, ...given });
}

describe('The usage page', () => {
  story(
    'shows a chart and tables, can be grouped and filtered by keyboard, and exported',
    {
      settings: { 'cairn.model': 'openai:gpt-5.4' },
      model: [{ say: 'Counted.', usage: { input: 12_345, output: 678 } }],
    },
    async ({ session, window, panel, workspace }) => {
      const folder = join(session.configDir, 'usage');
      await mkdir(folder, { recursive: true });
      const free = { model: 'ollama:local', agent: 'coder', costUsd: 0, unpriced: 3 };
      const lines = [
        record(2, {}),
        record(1, { agent: 'coder', costUsd: 1.5 }),
        record(45, { agent: 'ancient' }),
        record(3, free),
      ];
      const file = join(folder, `${new Date().toISOString().slice(0, 7)}.jsonl`);
      await writeFile(file, `${lines.join('\n')}\n`);
      await panel.open();
      await panel.send('count me');
      await panel.waitForText('Counted.', 'text');
      // A run is recorded when it ends.
      await until('the message to be counted', async () => (await readFile(file, 'utf8')).includes('gpt-5.4'));
      await window.startCommand('cairn.showUsage');
      const frame = await pageFrame(window, 'Cairn Usage');
      const byModel = frame.getByRole('group', { name: 'Usage by model' });
      await byModel.getByRole('row', { name: /^openai:gpt-5\.4 1 12,345 0 678 \$0\.0\d$/ }).waitFor();
      await byModel.getByRole('row', { name: /^anthropic:claude-opus-4-8 6 104,000 80,000 8,000 \$1\.92$/ }).waitFor();
      assert.match((await frame.getByRole('img').getAttribute('aria-label')) ?? '', /on each of 30 days.*\$1\.50$/);
      assert.doesNotMatch(await frame.locator('main').innerText(), /ancient/);

      const period = frame.getByRole('combobox', { name: 'Period' });
      // The editor moves the focus into a page that it opens a moment later, and away from what has it.
      await until('the page to have the focus', () => frame.evaluate<boolean>('document.hasFocus()'));
      await period.focus();
      await period.selectOption('Last 90 days');
      await frame.getByRole('combobox', { name: 'Group by' }).selectOption('Agent');
      const byAgent = frame.getByRole('group', { name: 'Usage by agent' });
      await byAgent.getByRole('row', { name: /^ancient 3 / }).waitFor();
      assert.equal(await period.evaluate('document.activeElement?.tagName'), 'SELECT');
      await frame.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('coder');
      await until('the others to be left out', async () => (await byAgent.getByRole('row').count()) === 2);

      const list = new QuickList(window);
      await pressKey(frame.getByRole('button', { name: 'Export CSV…' }));
      const written = () => workspace.read('cairn-usage.csv').catch(() => '');
      await list.saveAs('/cairn-usage.csv', async () => (await written()) !== '');
      const csv = await workspace.read('cairn-usage.csv');
      assert.match(csv, /^day,model,agent,folder,/);
      assert.match(csv, /openai:gpt-5\.4,coder,/);
      assert.doesNotMatch(csv, /sisyphus|ancient/);

      // A plot of costs that are not known would be empty.
      const measure = frame.getByRole('combobox', { name: 'Show' });
      assert.equal(await measure.inputValue(), 'cost');
      await frame.getByRole('combobox', { name: 'Model', exact: true }).selectOption('ollama:local');
      await until('tokens to be shown', async () => (await measure.inputValue()) === 'tokens');
      assert.match((await frame.getByRole('img').getAttribute('aria-label')) ?? '', /56k/);
      await measure.selectOption('Cost');
      await frame.getByText('$0.00').first().waitFor();
    },
  );
});
