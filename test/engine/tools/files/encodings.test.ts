import assert from 'node:assert/strict';
import path from 'node:path';
import { type ToolWorld, toolWorld } from '../toolWorld';

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** The bytes of a two-line text in a file. */
const FILES: [string, (text: string) => Buffer][] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a BOM', (text) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 LE', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16 BE', (text) => utf16be(`\uFEFF${text}`)],
  ['Windows-1252', (text) => Buffer.from(text.replace('€', '\u0080'), 'latin1')],
];

describe('File encoding', () => {
  let world: ToolWorld;
  beforeEach(async () => {
    world = await toolWorld();
  });
  afterEach(() => world.remove());
  const bytes = async (name: string) => Buffer.from(await world.ports.files.readFile(path.join(world.workspace, name)));

  for (const [name, inFile] of FILES) {
    it(`${name} is read and preserved by every kind of edit, including line endings and the end`, async () => {
      await world.write({ 'a.txt': inFile('für 5 €\r\nzwei\r\ndrei') });
      assert.equal((await world.call('fs_read', { path: 'a.txt' })).text, '1\tfür 5 €\n2\tzwei\n3\tdrei');
      assert.equal((await world.call('fs_cat', { path: 'a.txt' })).text, 'für 5 €\r\nzwei\r\ndrei');
      await world.call('fs_edit', { path: 'a.txt', old_string: '5 €\nzwei', new_string: '6 €\nzwölf' });
      assert.deepEqual(await bytes('a.txt'), inFile('für 6 €\r\nzwölf\r\ndrei'));
      await world.call('fs_patch', { path: 'a.txt', contents: '@@ -2,2 +2,3 @@\n zwölf\n+è\n-drei\n+fünf' });
      assert.deepEqual(await bytes('a.txt'), inFile('für 6 €\r\nzwölf\r\nè\r\nfünf'));
      await world.call('fs_write', { path: 'a.txt', contents: 'ä\nö' });
      assert.deepEqual(await bytes('a.txt'), inFile('ä\r\nö'));
    });
  }

  it('keeps every unedited byte of a file in a legacy encoding', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, at) => at).filter((at) => at > 0x1f || at === 9));
    await world.write({ 'a.txt': Buffer.concat([Buffer.from('one\n'), all]) });
    await world.call('fs_edit', { path: 'a.txt', old_string: 'one', new_string: 'two' });
    assert.deepEqual(await bytes('a.txt'), Buffer.concat([Buffer.from('two\n'), all]));
  });

  it('rejects characters missing in the encoding before anyone is asked', async () => {
    await world.write({ 'a.txt': Buffer.from('für', 'latin1') });
    await world.call('fs_read', { path: 'a.txt' });
    for (const call of [
      { tool: 'fs_write', input: { path: 'a.txt', contents: 'für 漢字' } },
      { tool: 'fs_edit', input: { path: 'a.txt', old_string: 'für', new_string: '漢' } },
    ]) {
      await assert.rejects(world.preview(call.tool, call.input), /is in Windows-1252, which has no “漢”/);
      assert.match(await world.failure(call.tool, call.input), /nothing was written.*escape/);
    }
  });

  it('treats bytes that are not text as binary', async () => {
    await world.write({
      'a.bin': Buffer.from([1, 2, 200]),
      'b.bin': Buffer.from([0xff, 0xfe, 0]),
      'c.bin': Buffer.from([65, 0]),
    });
    for (const name of ['a.bin', 'b.bin', 'c.bin']) {
      assert.match(await world.failure('fs_read', { path: name }), /is binary/);
      assert.match(await world.failure('fs_write', { path: name, contents: 'x' }), /is binary/);
    }
  });
});
