import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startModelServer } from '../support/modelServer/modelServer';
import { seededRandom } from '../support/seededRandom';
import { type FarmModel, farmModel } from './farmModel';
import { type FillableDisk, fillableDisk } from './fillableDisk';
import { judgeFarm } from './judgeFarm';
import { leftProcesses } from './leftProcesses';
import { type CommandPlace, startCommand, type StartedCommand } from './startedCommand';

export interface FarmOptions {
  seed: number;
  /** Ends after this many kills or when the time is up. */
  kills: number;
  minutes: number;
  /** An empty folder. */
  folder: string;
  sessions: number;
  /** Concurrent commands. More than there are sessions, so that some share one. */
  writers: number;
  /** Called now and then with the progress. */
  onProgress: (text: string) => void;
}

export interface FarmReport {
  runs: number;
  kills: number;
  /** How many of the kills hit a run that had its session. */
  inRun: number;
  fills: number;
  /** Answers of the model whose connection broke. */
  cuts: number;
  /** How the disk was filled. */
  disk: string;
  /** The total in all sessions at the end. */
  messages: number;
  /** Leftover temporary files of killed writes. */
  aside: number;
  problems: string[];
}

const FILLED_MS = 300;
/** The last run must not have to wait for any other. */
const LAST_MS = 45_000;

/**
 * Runs the built command in a few sessions, several at a time in one, kills it at random moments, fills the disk, and breaks the
 * model's connections. Then judges what is left.
 */
export class Farm {
  private readonly started: StartedCommand[] = [];
  private readonly counts = { kills: 0, inRun: 0, fills: 0 };
  private readonly deadline: number;
  /** How long a run currently takes on this machine, so that kills hit every phase of it. */
  private usualMs = 0;

  private constructor(
    private readonly options: FarmOptions,
    private readonly place: CommandPlace,
    private readonly disk: FillableDisk,
    private readonly model: FarmModel,
    private readonly random: () => number,
  ) {
    this.deadline = performance.now() + options.minutes * 60_000;
  }

  static async run(options: FarmOptions): Promise<FarmReport> {
    const random = seededRandom(options.seed);
    const model = farmModel(random);
    const server = await startModelServer(model.story);
    const home = path.join(options.folder, 'home');
    const workspace = path.join(options.folder, 'workspace');
    await Promise.all([home, workspace].map((one) => mkdir(one)));
    const disk = await fillableDisk(path.join(options.folder, 'config'));
    const farm = new Farm(options, { home, workspace, config: disk.folder, modelUrl: server.url }, disk, model, random);
    try {
      const problems = await farm.work();
      const judged = await judgeFarm(disk.folder, workspace, farm.started);
      const { counts, started } = farm;
      return {
        ...counts,
        runs: started.length,
        cuts: model.cuts(),
        disk: disk.how,
        ...judged,
        problems: [...problems, ...judged.problems],
      };
    } finally {
      for (const one of farm.started) one.kill();
      await Promise.all(farm.started.map(({ ended }) => ended));
      await server.close();
      await disk.dispose();
    }
  }

  private async work(): Promise<string[]> {
    const tries: number[] = [];
    for (let time = 0; time < 2; time++) {
      const from = performance.now();
      await this.start('session-0', 'How long do you take?').ended;
      tries.push(performance.now() - from);
    }
    this.usualMs = Math.min(...tries);
    this.options.onProgress(`A run takes ${Math.round(this.usualMs)} ms. The disk: ${this.disk.how}.`);
    const writers = Array.from({ length: this.options.writers }, (_, number) => this.write(number));
    await Promise.all([...writers, this.fill()]);
    this.model.calmDown();
    return [...(await this.lastRuns()), ...(await leftProcesses(this.options.folder))];
  }

  private get isOver(): boolean {
    return this.counts.kills >= this.options.kills || performance.now() > this.deadline;
  }

  private start(session: string, text: string, before?: string | null): StartedCommand {
    const one = startCommand(this.place, session, text, before);
    this.started.push(one);
    return one;
  }

  private async write(number: number): Promise<void> {
    for (let turn = 0; !this.isOver; turn++) {
      const session = `session-${Math.floor(this.random() * this.options.sessions)}`;
      const isLimited = this.random() < 0.2;
      const one = this.start(session, `Writer ${number}, turn ${turn}`, isLimited ? this.disk.limit : null);
      await this.killLater(one);
    }
  }

  /** While it starts, waits for the session, or works. */
  private async killLater(one: StartedCommand): Promise<void> {
    if (this.random() < 0.8) await one.begun;
    const over = new AbortController();
    const killing = setTimeout(this.random() * this.usualMs, undefined, { signal: over.signal }).then(
      () => this.kill(one),
      () => undefined,
    );
    await one.ended;
    over.abort();
    await killing;
  }

  private kill(one: StartedCommand): void {
    if (!one.kill()) return;
    this.counts.kills++;
    if (one.events.some(({ type }) => type === 'run-started')) this.counts.inRun++;
    if (this.counts.kills % 10 === 0)
      this.options.onProgress(`${this.counts.kills} kills, ${this.started.length} runs`);
  }

  private async fill(): Promise<void> {
    while (!this.isOver) {
      await setTimeout(this.usualMs * (1 + this.random() * 3));
      await this.disk.fill();
      this.counts.fills++;
      await setTimeout(FILLED_MS);
      await this.disk.free();
    }
  }

  /** Every session opens and is free at once, although the processes that held it were killed. */
  private async lastRuns(): Promise<string[]> {
    const problems: string[] = [];
    for (let number = 0; number < this.options.sessions; number++) {
      const session = `session-${number}`;
      const one = this.start(session, 'The last one');
      const over = new AbortController();
      const late = setTimeout(LAST_MS, true, { signal: over.signal }).catch(() => false);
      if ((await Promise.race([one.ended, late])) === true) problems.push(`${session} did not open in time.`);
      over.abort();
      one.kill();
      await one.ended;
      if (!one.events.some(({ type }) => type === 'message-taken')) {
        problems.push(`${session} took no message: ${one.error().slice(-500)}`);
      }
      if (one.error().includes('another window')) problems.push(`${session} was not free.`);
    }
    return problems;
  }
}
