import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isAbort } from '../../src/base/abort';
import { Deferred } from '../../src/base/async';
import { onDispose } from '../../src/base/disposable';
import { EngineError, type ProcessRunner } from '../../src/engine';
import { endProcessTree, processTable, processTree } from '../../src/node/processes/endWithUs';
import { nodeProcessRunner } from '../../src/node/processes/nodeProcessRunner';
import { poll } from './poll';
import { type TemporaryFolder, temporaryFolder } from './temporaryFolder';

const posix = process.platform !== 'win32';

describe('nodeProcessRunner', function () {
  this.timeout(60_000);
  let folder: TemporaryFolder;
  const runner = nodeProcessRunner(process.env);

  before(function () {
    if (!posix) this.skip();
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function run(
    command: string,
    timeoutMs = 20_000,
    signal = new AbortController().signal,
    by: ProcessRunner = runner,
  ) {
    let output = '';
    const onOutput = (chunk: string) => void (output += chunk);
    const end = await by.run({ command, cwd: folder.path, timeoutMs, onOutput }, signal);
    return { ...end, output };
  }

  /** Runs a command whose time is up once it has written its process id to a file. */
  async function runUntil(name: string, command: string) {
    let ring: () => void = () => assert.fail('there is no time limit');
    const limits: number[] = [];
    const alarmed = nodeProcessRunner(process.env, (ms, ringing) => {
      limits.push(ms);
      ring = ringing;
      return onDispose(() => undefined);
    });
    const running = run(command, 500, undefined, alarmed);
    const pid = await pidIn(name);
    ring();
    const end = await running;
    assert.deepEqual(limits, [500]);
    return { ...end, pid };
  }

  /** Waits until the command has written its process id to a file. */
  async function pidIn(name: string): Promise<number> {
    const file = path.join(folder.path, name);
    const pid = async () => (existsSync(file) ? Number((await readFile(file, 'utf8')).trim()) : 0);
    await poll(`a process id in ${name}`, async () => (await pid()) > 0);
    return pid();
  }

  const isGone = async (pid: number) => !(await processTable()).some((row) => row.pid === pid);

  it('returns the exit code and the output of both streams in order, and runs in the folder', async () => {
    const { output, ...end } = await run('for i in 1 2 3; do echo out$i; echo err$i >&2; done; pwd; exit 3');
    assert.equal(output, `out1\nerr1\nout2\nerr2\nout3\nerr3\n${folder.path}\n`);
    assert.deepEqual({ ...end, durationMs: 0 }, { exitCode: 3, signal: null, timedOut: false, durationMs: 0 });
  });

  it('runs commands that start with a comment, have several lines, or do not parse', async () => {
    assert.equal((await run('# why\necho a\necho b')).output, 'a\nb\n');
    assert.equal((await run('cat <<X\ntext\nX')).output, 'text\n');
    const broken = await run('echo "');
    assert.notEqual(broken.exitCode, 0);
    assert.match(broken.output, /quot|EOF/i);
    assert.equal((await run('no-such-program-here')).exitCode, 127);
  });

  it('distinguishes a signal from an exit code', async () => {
    const { exitCode, signal } = await run('kill -KILL $$');
    assert.deepEqual({ exitCode, signal }, { exitCode: null, signal: 'SIGKILL' });
  });

  it('provides an empty standard input', async () => {
    assert.equal((await run('cat; echo end')).output, 'end\n');
  });

  it('keeps characters intact that arrive in pieces', async () => {
    const { output } = await run(`printf '\\303'; sleep 0.2; printf '\\274\\n'`);
    assert.equal(output, 'ü\n');
  });

  it('delivers output while the command runs', async () => {
    const signal = new AbortController();
    let output = '';
    const running = runner.run(
      {
        command: 'echo first; sleep 60',
        cwd: folder.path,
        timeoutMs: 60_000,
        onOutput: (chunk) => void (output += chunk),
      },
      signal.signal,
    );
    await poll('the first line', () => output === 'first\n');
    signal.abort();
    await assert.rejects(running, isAbort);
  });

  it('kills the whole process tree when aborted', async () => {
    const abort = new AbortController();
    const running = run(
      'sh -c "echo \\$\\$ > child; sleep 300 & echo \\$! > grandchild; wait"; echo never',
      60_000,
      abort.signal,
    );
    const rejected = assert.rejects(running, isAbort);
    const pids = [await pidIn('child'), await pidIn('grandchild')];
    abort.abort();
    await rejected;
    for (const pid of pids) assert.ok(await isGone(pid), `${pid} still runs`);
  });

  it('kills the whole process tree on timeout, and reports it', async () => {
    const { timedOut, output, pid } = await runUntil(
      'grandchild',
      'echo begun; (sleep 300 & echo $! > grandchild; wait)',
    );
    assert.equal(timedOut, true);
    assert.equal(output, 'begun\n');
    assert.ok(await isGone(pid));
  });

  it('kills children that ignore SIGTERM, even if their parent exits at once', async () => {
    const abort = new AbortController();
    const stubborn = `trap 'echo asked > asked' TERM; echo $$ > stubborn; while :; do sleep 0.1; done`;
    await folder.write({ 'stubborn.sh': stubborn });
    const running = run('sh stubborn.sh & wait', 60_000, abort.signal);
    const rejected = assert.rejects(running, isAbort);
    const pid = await pidIn('stubborn');
    abort.abort();
    await rejected;
    assert.ok(await isGone(pid));
    assert.ok(existsSync(path.join(folder.path, 'asked')), 'it was first asked to end by itself');
  });

  it('lets a process clean up on SIGTERM', async () => {
    const command = `trap 'echo cleaned > cleaned; exit 0' TERM; echo $$ > ready; while :; do sleep 0.1; done`;
    const { timedOut } = await runUntil('ready', command);
    assert.ok(timedOut);
    assert.ok(existsSync(path.join(folder.path, 'cleaned')));
  });

  it('kills a descendant that moved to its own session', async function () {
    if (process.platform !== 'linux') this.skip();
    const { timedOut, pid } = await runUntil('moved', 'setsid sh -c "echo \\$\\$ > moved; sleep 300" & wait');
    assert.ok(timedOut);
    assert.ok(await isGone(pid));
  });

  it('does not wait for a background process that keeps the output open, and kills it', async () => {
    const { exitCode, output } = await run('sleep 300 & echo $! > background; echo done');
    assert.deepEqual({ exitCode, output }, { exitCode: 0, output: 'done\n' });
    assert.ok(await isGone(await pidIn('background')));
  });

  it('lets a background process live if it writes elsewhere', async () => {
    await run('sleep 300 > log 2>&1 & echo $! > background');
    const pid = await pidIn('background');
    assert.equal(await isGone(pid), false);
    process.kill(pid, 'SIGKILL');
    await poll('its end', () => isGone(pid));
  });

  it('does not start if already aborted, and kills a command aborted while starting', async () => {
    const before = new AbortController();
    before.abort();
    await assert.rejects(run('touch ran', 1000, before.signal), isAbort);
    assert.equal(existsSync(path.join(folder.path, 'ran')), false);
    const during = new AbortController();
    const running = run('sleep 300', 60_000, during.signal);
    during.abort();
    await assert.rejects(running, isAbort);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await run('true', 1000, signal);
    await run('sleep 5', 100, signal);
    assert.equal(listeners, 0);
  });

  it('reports why a command could not be started', async () => {
    const nowhere = path.join(folder.path, 'nowhere');
    const request = { command: 'true', cwd: nowhere, timeoutMs: 1000, onOutput: () => undefined };
    await assert.rejects(runner.run(request, new AbortController().signal), (error) => {
      assert.ok(EngineError.is(error, 'io'));
      assert.ok(error.message.includes(nowhere), error.message);
      return true;
    });
    await assert.rejects(run('echo \0'), (error) => EngineError.is(error, 'io'));
  });

  it('passes no secrets to commands', async () => {
    const env = {
      PATH: process.env['PATH'],
      OPENAI_API_KEY: 'hidden-1',
      MY_TOKEN: 'hidden-2',
      PLAIN: 'sk-hidden-3',
      EDITOR: 'vi',
    };
    let output = '';
    const request = {
      command: 'env',
      cwd: folder.path,
      timeoutMs: 5000,
      onOutput: (chunk: string) => void (output += chunk),
    };
    await nodeProcessRunner(env).run(request, new AbortController().signal);
    assert.match(output, /EDITOR=vi/);
    assert.match(output, /PATH=/);
    assert.doesNotMatch(output, /hidden/);
  });

  it('streams 20 MB without buffering them', async () => {
    const size = 20_000_000;
    const before = process.memoryUsage().rss;
    let most = 0;
    let received = 0;
    const onOutput = (chunk: string) => {
      received += chunk.length;
      most = Math.max(most, process.memoryUsage().rss - before);
    };
    const command = `head -c ${size} /dev/zero | tr '\\0' x`;
    const end = await runner.run(
      { command, cwd: folder.path, timeoutMs: 20_000, onOutput },
      new AbortController().signal,
    );
    assert.equal(end.exitCode, 0);
    assert.equal(received, size);
    assert.ok(most < 100_000_000, `${most} bytes more in memory`);
  });

  it('lets a command wait while its output cannot be taken', async () => {
    const taken = new Deferred<void>();
    const begun = new Deferred<void>();
    const onOutput = () => {
      begun.resolve();
      return taken.promise;
    };
    const write = (count: number, after: string) => `head -c ${count} /dev/zero | tr '\\0' x; ${after}`;
    const command = write(5_000_000, 'touch written');
    const running = runner.run({ command, cwd: folder.path, onOutput }, new AbortController().signal);
    await begun.promise;
    // By the time that another command has written four times as much, it would have ended.
    await run(write(20_000_000, 'true'));
    assert.equal(existsSync(path.join(folder.path, 'written')), false);
    taken.resolve();
    assert.equal((await running).exitCode, 0);
    assert.equal(existsSync(path.join(folder.path, 'written')), true);
  });

  it('runs many commands at once', async () => {
    const ends = await Promise.all(Array.from({ length: 20 }, (_, index) => run(`echo ${index}; exit ${index}`)));
    assert.deepEqual(
      ends.map(({ exitCode }) => exitCode),
      ends.map((_, index) => index),
    );
    assert.deepEqual(
      ends.map(({ output }) => output),
      ends.map((_, index) => `${index}\n`),
    );
  });
});

describe('Ending a process and its descendants', function () {
  this.timeout(60_000);
  const started: ChildProcess[] = [];

  before(function () {
    if (!posix) this.skip();
  });
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  const start = async (): Promise<{ pid: number }> => {
    const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    started.push(child);
    await once(child, 'spawn');
    return { pid: child.pid ?? assert.fail() };
  };

  it('spares a process that was given the id of an earlier descendant', async () => {
    const [one, other, third] = [await start(), await start(), await start()];
    const [seen] = await processTree(other.pid);
    assert.ok(seen?.pid === other.pid);
    const lives = async (pid: number) => (await processTable()).some((row) => row.pid === pid);
    await endProcessTree(one.pid, [{ ...seen, start: 'earlier' }]);
    assert.deepEqual([await lives(one.pid), await lives(other.pid)], [false, true]);
    await endProcessTree(third.pid, [seen]);
    assert.equal(await lives(other.pid), false);
  });

  it('spares the group of a process that was given the id of a leader that has ended', async () => {
    const script = 'trap "echo stopped" TERM; echo ready; read line';
    const other = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    started.push(other);
    const said = new Array<string>();
    other.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await once(other.stdout, 'data');
    const pid = other.pid ?? assert.fail();
    await endProcessTree(pid, [], true);
    await endProcessTree(pid, [{ pid, start: 'earlier' }]);
    other.stdin.end();
    await once(other, 'close');
    assert.equal(said.join(''), 'ready\n');
  });
});
