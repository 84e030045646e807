import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { EngineError } from '../../../../src/engine/engineError';
import { poll } from '../../../node/poll';
import { type ToolWorld, toolWorld } from '../toolWorld';

describe('execute_command', function () {
  this.timeout(60_000);
  let world: ToolWorld;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    world = await toolWorld();
  });
  afterEach(() => world.remove());
  const run = (command: string, more: object = {}) => world.call('execute_command', { command, ...more });

  it('runs in the workspace and returns output and exit code', async () => {
    const { text, detail } = await run('pwd; echo oops >&2; exit 3');
    assert.equal(text, `Exit code 3.\n\n${world.workspace}\noops`);
    assert.deepEqual(detail, {
      kind: 'command',
      command: 'pwd; echo oops >&2; exit 3',
      output: `${world.workspace}\noops\n`,
      exitCode: 3,
      signal: null,
      timedOut: false,
      outputPath: null,
    });
    assert.equal((await run('true')).text, 'Exit code 0.\n\n(no output)');
  });

  it('distinguishes a signal from an exit code', async () => {
    assert.match((await run('kill -KILL $$')).text, /^Ended by signal SIGKILL\./);
  });

  it('explains what to do after a timeout, with the output so far', async () => {
    const { text, detail } = await run('echo begun; sleep 60', { timeout_seconds: 1 });
    assert.match(text, /^Timed out: not finished after 1 s.*timeout_seconds.*set background\.\n\nbegun$/);
    assert.ok(detail?.kind === 'command' && detail.timedOut);
  });

  it('streams output, and returns what there was when it is stopped', async () => {
    const abort = new AbortController();
    const running = world.call('execute_command', { command: 'echo first; sleep 60' }, { signal: abort.signal });
    await poll('live output', () => world.live.join('') === 'first\n');
    abort.abort();
    assert.match((await running).text, /It had written:\n\nfirst$/);
  });

  it('removes escape sequences for the model and the card', async () => {
    const { text, detail } = await run(`printf '\\033[31mred\\033[0m\\n 1%%\\r99%%\\n'`);
    assert.equal(text, 'Exit code 0.\n\nred\n99%');
    assert.ok(detail?.kind === 'command' && detail.output === 'red\n99%\n');
    assert.ok(world.live.join('').includes('\x1b[31m'));
  });

  it('saves long output to a file and returns its start and end', async () => {
    const { text, detail } = await run('seq 1 20000');
    assert.ok(text.length < 31_000);
    assert.match(text, /^Exit code 0\.\n\n1\n2\n/);
    assert.match(text, /characters left out \.\.\./);
    assert.match(text, /\n20000\n\nThe whole output \(108894 characters\) is in .*output1\.txt\.$/);
    assert.ok(detail?.kind === 'command' && detail.outputPath !== null);
    assert.equal((await readFile(detail.outputPath, 'utf8')).length, 108_894);
  });

  it('handles 20 MB and 60 MB with bounded memory', async () => {
    const before = process.memoryUsage().rss;
    let most = 0;
    const report = (chunk: string) => {
      world.live.push(chunk);
      most = Math.max(most, process.memoryUsage().rss - before);
    };
    const flood = (size: number) => ({ command: `yes 0123456789abcde | head -c ${size}` });
    await world.call('execute_command', flood(20_000_000), { report });
    const { text } = await world.call('execute_command', flood(60_000_000), { report });
    assert.match(text, /The whole output \(60000000 characters\) is in /);
    const sizes = await Promise.all(world.saved.map(async (file) => (await stat(file)).size));
    assert.deepEqual(sizes, [20_000_000, 60_000_000]);
    assert.ok(text.length < 31_000);
    assert.ok(world.live.join('').length < 8_000_000, 'a flood is thinned out for the screen');
    assert.ok(most < 250_000_000, `${most} bytes more in memory`);
  });

  it('returns the output when its file cannot be written, and reports it', async () => {
    const openOutput = () => Promise.reject(new EngineError('io', 'The disk is full.'));
    const { text } = await world.call('execute_command', { command: 'seq 1 20000; exit 4' }, { openOutput });
    assert.match(text, /^Exit code 4\.\n\n1\n2\n/);
    assert.match(text, /\n20000\n\nThe whole output could not be saved: The disk is full\.$/);
  });

  it('asks for permission to run the command, and shows its first line', () => {
    const { permission, title } = world.bind('execute_command', { command: 'npm test\necho done' });
    assert.deepEqual(permission, { tool: 'execute_command', category: 'execute', command: 'npm test\necho done' });
    assert.equal(title, 'Run npm test …');
  });

  it('is limited to half an hour', () => {
    const tool = world.tools.find(({ name }) => name === 'execute_command');
    assert.ok(tool);
    assert.equal(tool.bind({ command: 'true', timeout_seconds: 1801 }).ok, false);
    assert.equal(tool.bind({ command: 'true', timeout_seconds: 1800 }).ok, true);
  });

  it('reports that it could not start', async () => {
    await assert.rejects(
      world.call('execute_command', { command: 'true' }, { workspace: path.join(world.outside, 'gone') }),
      /no folder/,
    );
  });
});
