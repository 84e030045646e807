import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { inShell } from './inShell';

const printed = z.array(z.object({ agent: z.string(), model: z.string(), requests: z.number() }));

describe('cairn --usage', () => {
  it('shows the usage of runs by day, model, agent and folder', () =>
    inShell([{ say: 'Hello.', usage: { input: 1234, output: 56 } }], async ({ cairn, folder }) => {
      await cairn(['-m', 'openai:gpt-5.4', 'hello']);
      const { status, out, err } = await cairn(['--usage']);
      assert.deepEqual([status, err], [0, '']);
      for (const head of ['Day', 'Model', 'Agent', 'Folder', 'Total']) assert.match(out, new RegExp(`^${head} `, 'm'));
      assert.match(out, /^openai:gpt-5\.4 +1 +1,234 +0 +56 +\$0\.00\d\d$/m);
      assert.match(out, /^coder +1 +1,234/m);
      assert.ok(out.includes(folder));
      const json = await cairn(['--usage', '--output', 'json']);
      assert.deepEqual(printed.parse(JSON.parse(json.out)), [{ agent: 'coder', model: 'openai:gpt-5.4', requests: 1 }]);
      const csv = await cairn(['--usage', '--output', 'csv', '--since', '2020-01-01']);
      assert.match(csv.out, /^day,model,agent,folder,.*\r\n\d{4}-\d\d-\d\d,openai:gpt-5\.4,coder,/);
    }));

  it('reports when nothing was used, and omits earlier usage', () =>
    inShell([], async ({ cairn, folder }) => {
      assert.equal((await cairn(['--usage'])).out, 'No usage recorded in this period.\n');
      const usage = join(folder, 'config', 'usage');
      await mkdir(usage, { recursive: true });
      const whose = { time: Date.UTC(2024, 0, 2, 12), folder: '/old', agent: 'coder', model: 'openai:x' };
      const used = { requests: 1, inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: 0, unpriced: 1 };
      await writeFile(join(usage, '2024-01.jsonl'), `${JSON.stringify({ ...whose, ...used })}\n`);
      assert.equal((await cairn(['--usage'])).out, 'No usage recorded in this period.\n');
      const { out } = await cairn(['--usage', '--since', '2024-01-01']);
      assert.match(out, /^2024-01-02 +1 +1 +0 +1 +-$/m);
    }));

  it('keeps agent names from controlling the terminal', () =>
    inShell([], async ({ cairn, folder }) => {
      const usage = join(folder, 'config', 'usage');
      await mkdir(usage, { recursive: true });
      const whose = { time: Date.now(), folder: '/a', agent: 'evil\u001b[2J\u202e', model: 'openai:x' };
      const used = { requests: 1, inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: 0, unpriced: 1 };
      const name = `${new Date().toISOString().slice(0, 7)}.jsonl`;
      await writeFile(join(usage, name), `${JSON.stringify({ ...whose, ...used })}\n`);
      const { out } = await cairn(['--usage']);
      assert.ok(out.includes('evil'));
      assert.ok(!out.includes('\u001b') && !out.includes('\u202e'));
    }));

  for (const [args, words] of [
    [['--usage', '--since', '2026-02-30'], /--since takes a day such as 2026-11-01, not "2026-02-30"/],
    [['--since', '2026-02-03', 'hello'], /--since is for --usage/],
    [['--output', 'csv', 'hello'], /--output csv is for --usage/],
    [['--usage', '--output', 'stream-json'], /--usage takes --output text, json, csv/],
  ] as const) {
    it(`reports what is wrong with ${args.join(' ')}`, () =>
      inShell([], async ({ cairn }) => {
        const { status, err } = await cairn(args);
        assert.equal(status, 2);
        assert.match(err, words);
      }));
  }
});
