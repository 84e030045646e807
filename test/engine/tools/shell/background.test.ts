import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { processTable } from '../../../../src/node/processes/endWithUs';
import { poll } from '../../../node/poll';
import { type ToolWorld, toolWorld } from '../toolWorld';

describe('Background commands', function () {
  this.timeout(60_000);
  let world: ToolWorld;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    world = await toolWorld();
  });
  afterEach(() => world.remove());

  async function start(command: string): Promise<string> {
    const { text } = await world.call('execute_command', { command, background: true });
    const id = /^Started in the background as (bg\d+)\./.exec(text)?.[1];
    assert.ok(id, text);
    return id;
  }
  const look = async (id: string, more: object = { wait_seconds: 30 }) =>
    (await world.call('command__output', { id, ...more })).text;
  const pidIn = (name: string) => poll(name, async () => /\d+\n/.test(await world.text(name).catch(() => '')));
  const isAlive = async (name: string) => {
    const pid = Number(await world.text(name));
    return (await processTable()).some((row) => row.pid === pid);
  };

  it('return at once, can be polled, and return only new output', async () => {
    const id = await start('echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; exit 7');
    assert.match(await look(id), /^Running for \d+ s\.\n\none$/);
    assert.match(await look(id, {}), /^Running for \d+ s\.\n\n\(nothing new\)$/);
    assert.match((await world.call('command__list', {})).text, /^bg1: echo one; .*: Running for \d+ s\.$/);
    await world.write({ go: '' });
    assert.match(await look(id), /\ntwo$/);
    await world.commands.get('session', id).over;
    assert.match(await look(id), /^Exit code 7\. It ran for \d+ s\.\n\n\(nothing new\)$/);
  });

  it('can be followed, whatever the agent has polled', async () => {
    const id = await start('echo one; while [ ! -e go ]; do sleep 0.05; done; echo two');
    await look(id);
    const command = world.commands.find('session', id);
    assert.equal(command?.written, 'one\n');
    let told = '';
    command.follow({ written: (text) => (told += text), ended: () => (told += 'over') });
    const left = command.follow({ written: (text) => assert.fail(text), ended: () => assert.fail('told of the end') });
    left.dispose();
    await world.write({ go: '' });
    await command.over;
    assert.equal(told, 'two\nover');
    assert.equal(world.commands.find('session', id)?.written, 'one\ntwo\n');
    assert.equal(world.commands.find('another', id), undefined);
  });

  it('show a last line that has no ending', async () => {
    const id = await start("printf 'one\\nno end'");
    await world.commands.get('session', id).over;
    assert.match(await look(id), /\n\none\nno end$/);
  });

  it('are remembered while they run, and the last fifty that ended', async () => {
    const running = await start('sleep 600');
    for (let count = 0; count < 52; count++) await world.commands.get('session', await start('true')).over;
    await start('true');
    const has = (id: string) => world.commands.find('session', id) !== undefined;
    assert.deepEqual([running, 'bg2', 'bg3', 'bg4', 'bg53'].map(has), [true, false, false, true, true]);
  });

  it('are stopped with their child processes', async () => {
    const id = await start('sleep 600 & echo $! > child; echo up; wait');
    await pidIn('child');
    assert.match((await world.call('command__stop', { id })).text, /^bg1: Stopped\. It ran for \d+ s\.$/);
    assert.equal(await isAlive('child'), false);
    assert.match((await world.call('command__stop', { id })).text, /^bg1 had ended before: Stopped\./);
  });

  it('end with their session, and all of them with the engine', async () => {
    await start('sleep 600 & echo $! > child; wait');
    await pidIn('child');
    await world.commands.endSession('another');
    assert.equal(await isAlive('child'), true);
    await world.commands.endSession('session');
    assert.equal(await isAlive('child'), false);
    await start('sleep 600 & echo $! > second; wait');
    await pidIn('second');
    await world.commands.dispose();
    assert.equal(await isAlive('second'), false);
    assert.match(await world.failure('execute_command', { command: 'true', background: true }), /is closing/);
  });

  it('save the full text of long output to a file', async () => {
    const id = await start('seq 1 20000');
    await world.commands.get('session', id).over;
    const text = await look(id);
    assert.ok(text.length < 31_000);
    assert.match(text, /characters left out \.\.\./);
    const file = /The whole output \(108894 characters\) is in (.*)\.$/.exec(text)?.[1];
    assert.ok(file);
    assert.equal((await readFile(file, 'utf8')).length, 108_894);
    const { written = '' } = world.commands.find('session', id) ?? {};
    assert.deepEqual([written.length, written.slice(-12)], [32_000, '19999\n20000\n']);
  });

  it('report why one could not start, and which ones exist', async () => {
    const { text } = await world.call(
      'execute_command',
      { command: 'true', background: true },
      { workspace: path.join(world.outside, 'gone') },
    );
    assert.match(text, /bg1/);
    assert.match(await look('bg1'), /no folder/);
    assert.match(await world.failure('command__output', { id: 'bg9' }), /no background command bg9\. There are: bg1\./);
  });

  it('are limited in number', async () => {
    for (let count = 0; count < 20; count++) await start('sleep 600');
    assert.match(await world.failure('execute_command', { command: 'true', background: true }), /^20 commands run/);
  });
});
