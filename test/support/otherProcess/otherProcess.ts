import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { repoRoot } from '../../editor/repoRoot';
import { contentPlugin } from '../../tasks/contentPlugin';
import type { Order } from './order';

const replySchema = z.object({ reply: z.string() });

let program: Promise<string> | undefined;

/** Another process on this machine that works with the same files and follows commands. */
export class OtherProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** `before`: a line of sh that its process runs first, such as `ulimit`. */
  static async start(before?: string): Promise<OtherProcess> {
    program ??= bundled();
    const shell = before !== undefined && {
      execPath: '/bin/sh',
      execArgv: ['-c', `${before}; exec "$0" "$@"`, process.execPath],
    };
    return new OtherProcess(fork(await program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], ...shell }));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Resolves to the reply. Failures start with "failed:". */
  async ask(order: Order): Promise<string> {
    const reply = new Promise<unknown>((resolve) => this.child.once('message', resolve));
    this.child.send(order);
    return replySchema.parse(await reply).reply;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

/** Starts this many processes and ends them in any case. */
export async function withProcesses(count: number, use: (others: OtherProcess[]) => Promise<void>): Promise<void> {
  const others = await Promise.all(Array.from({ length: count }, () => OtherProcess.start()));
  try {
    await use(others);
  } finally {
    await Promise.all(others.map((one) => one.kill()));
  }
}

async function bundled(): Promise<string> {
  const outfile = path.join(repoRoot, '.build', 'otherProcess', `program-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(repoRoot, 'test/support/otherProcess/program.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    plugins: [await contentPlugin()],
  });
  return outfile;
}
