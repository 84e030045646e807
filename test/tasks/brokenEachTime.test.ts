import assert from 'node:assert/strict';
import type { Row } from '../bench/row';
import { brokenEachTime } from './brokenEachTime';

const row = (what: string, value: number): Row => ({ what, value, unit: 'KB', digits: 1, budget: 100 });

/** What is broken if each group yields these values in successive measurements, and which groups were measured again. */
async function judge(values: Readonly<Record<string, readonly (readonly Row[])[]>>) {
  const again: string[] = [];
  const left = new Map(Object.entries(values).map(([name, times]) => [name, [...times]]));
  const first = new Map([...left].map(([name, times]) => [name, times.shift() ?? []]));
  const broken = await brokenEachTime(first, async (name, rows) => {
    again.push(`${name}: ${rows.map(({ what }) => what).join(', ')}`);
    return left.get(name)?.shift() ?? [];
  });
  return { broken: broken.map(({ what }) => what), again };
}

describe('A CI budget', () => {
  it('is exceeded if each of three measurements is over it', async () => {
    const over = [row('memory', 101)];
    assert.deepEqual(await judge({ cli: [over, over, over, []] }), {
      broken: ['memory'],
      again: ['cli: memory', 'cli: memory'],
    });
  });

  it('is met if one measurement is within it, and is then measured no more', async () => {
    const [over, within] = [[row('memory', 101)], [row('memory', 100)]];
    assert.deepEqual(await judge({ cli: [over, within, over] }), { broken: [], again: ['cli: memory'] });
    assert.deepEqual(await judge({ cli: [over, over, within] }), {
      broken: [],
      again: ['cli: memory', 'cli: memory'],
    });
  });

  it('is judged on its own, whatever else is over budget in its group or in others', async () => {
    const both = (memory: number, request: number) => [row('memory', memory), row('request', request)];
    assert.deepEqual(
      await judge({
        cli: [both(101, 101), both(101, 99), both(101, 101)],
        search: [[row('search', 99)], [row('search', 101)]],
      }),
      { broken: ['memory'], again: ['cli: memory, request', 'cli: memory'] },
    );
  });

  it('is not met by a measurement that could not be made', async () => {
    assert.deepEqual(await judge({ cli: [[row('memory', 101)], []] }), { broken: [], again: ['cli: memory'] });
  });
});
