import assert from 'node:assert/strict';
import { appendFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readUsage, sumUsage, totalUsage, usageCsv, type UsageRecord } from '../../../src/engine';
import { nodePorts } from '../../../src/node/nodePorts';
import { asLead } from '../agents/team/leadWorld';
import { calls, collectAll, says, spawn } from '../agents/team/teamStory';
import { type EngineWorld, withWorld } from '../../support/engineWorld';

const ports = nodePorts({
  env: process.env,
  ripgrepCandidates: [],
  watches: false,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
});

const recordedIn = ({ configFolder }: Pick<EngineWorld, 'configFolder'>, since = 0) =>
  readUsage(configFolder, ports, since);

const PRICED = { model: 'openai:gpt-5.4' };

function record(given: Partial<UsageRecord>): UsageRecord {
  const whose = { time: Date.UTC(2026, 10, 24, 12), folder: '/work', agent: 'coder', model: 'openai:gpt-5' };
  const used = { requests: 1, inputTokens: 10, cachedInputTokens: 4, outputTokens: 5, costUsd: 0.5, unpriced: 0 };
  return { ...whose, ...used, ...given };
}

describe('The usage record', () => {
  it('aggregates the requests of a run by model, with folder, agent and cost', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'fs_ls', arguments: { path: '.' } }], usage: { input: 1000, output: 20, cached: 400 } },
          { say: 'Done.', usage: { input: 2000, output: 30, cached: 900 } },
        ],
      },
      async (world) => {
        const { events } = await world.play('go', PRICED);
        const costs = events.map((event) => (event.type === 'usage-reported' ? (event.costUsd ?? 0) : 0));
        const { records, problems } = await recordedIn(world);
        assert.deepEqual(problems, []);
        assert.equal(records.length, 1);
        const [{ time, costUsd, ...rest } = record({})] = records;
        assert.ok(Math.abs(Date.now() - time) < 60_000);
        const cost = costs.reduce((sum, one) => sum + one, 0);
        assert.ok(cost > 0 && Math.abs(costUsd - cost) < 1e-9, `${costUsd} of ${cost}`);
        assert.deepEqual(rest, {
          ...{ folder: world.folder, agent: 'coder', model: 'openai:gpt-5.4', requests: 2, unpriced: 0 },
          ...{ inputTokens: 3000, cachedInputTokens: 1300, outputTokens: 50 },
        });
      },
    ));

  it('counts a started agent’s usage once, as its own', () =>
    asLead(
      [says('worker', { say: 'ok', usage: { input: 500, output: 5 } }), calls(spawn('worker', 'one')), collectAll],
      async (world) => {
        const { events } = await world.play('go', { agent: 'lead', ...PRICED });
        const told = events.filter(({ type }) => type === 'usage-reported').length;
        const { records } = await recordedIn(world);
        assert.equal(totalUsage(records).requests, told);
        const worker = sumUsage(records, 'agent').find(({ name }) => name === 'worker');
        assert.deepEqual([worker?.requests, worker?.inputTokens], [1, 500]);
      },
    ));

  it('includes the usage of failed runs and side questions, but not of the tour', () =>
    withWorld(
      {
        story: [
          { say: 'half', usage: { input: 70, output: 1 } },
          { say: 'ls', usage: { input: 30, output: 2 } },
          { say: 'two', usage: { input: 20, output: 3 } },
        ],
      },
      async (world) => {
        await world.play('go', { limits: { tokens: 1 } });
        const { signal } = new AbortController();
        await world.engine.askRole({ role: 'shell', text: 'list', sessionId: world.sessionId }, signal);
        const part = { path: 'a.txt', language: 'plaintext', before: '', part: 'one', after: '', wish: 'one more' };
        await world.engine.editSelection({ ...part, sessionId: world.sessionId }, () => undefined, signal);
        await world.play('tour', { model: 'demo:tour' });
        const { records } = await recordedIn(world);
        assert.deepEqual(
          records.map(({ agent, model, inputTokens }) => [agent, model, inputTokens]),
          [
            ['coder', 'openai:test-model', 70],
            ['shell', 'openai:test-model', 30],
            ['edit', 'openai:test-model', 20],
          ],
        );
        // The price of that model is unknown.
        assert.deepEqual(
          records.map(({ unpriced, costUsd }) => [unpriced, costUsd]),
          [
            [1, 0],
            [1, 0],
            [1, 0],
          ],
        );
      },
    ));

  it('counts each request of a long run once', () => {
    let now = Date.UTC(2026, 9, 20);
    const work = { call: [{ name: 'fs_ls', arguments: { path: '.' } }], usage: { input: 10, output: 1 } };
    const story = [work, work, work, { say: 'Done.', usage: { input: 10, output: 1 } }];
    return withWorld({ story, now: () => (now += 30_000) }, async (world) => {
      await world.play('go');
      const { records } = await recordedIn(world);
      assert.ok(records.length > 1, 'it is recorded while the run is in progress');
      assert.equal(totalUsage(records).requests, 4);
      assert.equal(totalUsage(records).inputTokens, 40);
    });
  });

  it('is stored in one file per month, and only the requested months are read', () => {
    let now = Date.UTC(2026, 9, 20);
    return withWorld({ story: [{ say: 'one' }, { say: 'two' }], now: () => now }, async (world) => {
      await world.play('go');
      now = Date.UTC(2026, 10, 20);
      await world.play('go');
      const folder = join(world.configFolder, 'usage');
      assert.deepEqual((await readdir(folder)).sort(), ['2026-10.jsonl', '2026-11.jsonl']);
      await writeFile(join(folder, '2026-10.jsonl'), 'broken\n');
      const { records, problems } = await recordedIn(world, Date.UTC(2026, 10, 1));
      assert.deepEqual([records.length, problems], [1, []]);
      const last = records[0]?.time ?? 0;
      const counted = await Promise.all(
        [last, last + 1].map(async (since) => (await recordedIn(world, since)).records),
      );
      assert.deepEqual(
        counted.map(({ length }) => length),
        [1, 0],
      );
    });
  });

  it('reports an invalid line and reads the others', () =>
    withWorld({ story: [{ say: 'one' }, { say: 'two' }] }, async (world) => {
      await world.play('go');
      const [name = ''] = await readdir(join(world.configFolder, 'usage'));
      await appendFile(join(world.configFolder, 'usage', name), '{"time": "yesterday"}\n{"time": 1');
      await world.play('again');
      const { records, problems } = await recordedIn(world);
      assert.equal(records.length, 2);
      assert.deepEqual(
        problems.map((problem) => /\d{4}-\d\d\.jsonl:\d+ is/.exec(problem)?.[0].slice(-5)),
        [':2 is', ':3 is'],
      );
    }));

  it('does not stop a run when it cannot be written, and reports it once', () =>
    withWorld({ story: [{ say: 'one' }] }, async (world) => {
      await rm(join(world.configFolder, 'usage'), { recursive: true, force: true });
      await ports.files.writeFile(join(world.configFolder, 'usage'), new Uint8Array());
      const { outcome } = await world.play('go');
      assert.equal(outcome.kind, 'completed');
      assert.equal(world.warnings.filter((warning) => warning.includes('could not be recorded')).length, 1);
    }));
});

describe('Usage totals', () => {
  const records = [
    record({ agent: 'coder', costUsd: 1 }),
    record({ agent: 'explore', costUsd: 0, unpriced: 1, model: 'ollama:qwen' }),
    record({ agent: 'coder', costUsd: 2, folder: '/other' }),
  ];

  it('list the highest cost first, and days in order', () => {
    assert.deepEqual(
      sumUsage(records, 'model').map(({ name, requests, costUsd, unpriced }) => [name, requests, costUsd, unpriced]),
      [
        ['openai:gpt-5', 2, 3, 0],
        ['ollama:qwen', 1, 0, 1],
      ],
    );
    const later = record({ time: Date.UTC(2026, 10, 26, 12), costUsd: 9 });
    assert.deepEqual(
      sumUsage([later, ...records], 'day').map(({ name }) => name),
      ['2026-11-24', '2026-11-26'],
    );
  });

  it('form a table in which no value is taken for a formula or another cell', () => {
    const csv = usageCsv([record({ agent: '=HYPERLINK("http://evil")', folder: '/a,"b"\nc' }), record({}), record({})]);
    const lines = csv.split('\r\n');
    assert.equal(lines[1], `2026-11-24,openai:gpt-5,"'=HYPERLINK(""http://evil"")","/a,""b""\nc",1,10,4,5,0.5,0`);
    assert.equal(lines[2], '2026-11-24,openai:gpt-5,coder,/work,2,20,8,10,1,0');
  });
});
