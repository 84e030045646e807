import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../../base/disposable';
import { t } from '../../../base/l10n';
import { EngineError } from '../../../engine';
import type { GraphDrawing } from '../../../protocol/graphDrawing';
import type { LayoutAnswer, LayoutQuestion } from './layoutWorker';

/** The largest drawings take a few seconds. */
const TIME_LIMIT_MS = 15_000;
const HEAP_LIMIT_MB = 512;

interface Waiting {
  readonly question: LayoutQuestion;
  readonly resolve: (drawing: GraphDrawing | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Lays out graphs in a worker thread, one at a time. Only the newest request matters. The thread is started with the first request. */
export class LayoutThread implements Disposable {
  private thread: Worker | undefined;
  private asked: Waiting | undefined;
  /** The request waiting for the current one. */
  private next: Waiting | undefined;
  private late: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(
    /** Absolute path of `dist/graphLayout.js`. */
    private readonly file: string,
    private readonly timeLimitMs = TIME_LIMIT_MS,
  ) {}

  /**
   * Resolves to undefined if a newer request arrived before this one was answered, or once disposed. Rejects with EngineError
   * `io` if the layout took too long or failed; the next request then starts a new thread.
   */
  layout(question: LayoutQuestion): Promise<GraphDrawing | undefined> {
    if (this.isDisposed) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.next?.resolve(undefined);
      this.next = { question, resolve, reject };
      this.ask();
    });
  }

  dispose(): void {
    this.isDisposed = true;
    const { asked, next } = this;
    this.asked = this.next = undefined;
    this.end();
    asked?.resolve(undefined);
    next?.resolve(undefined);
  }

  private ask(): void {
    if (this.asked || !this.next) return;
    this.asked = this.next;
    this.next = undefined;
    this.late = setTimeout(() => this.broke(t('It took too long.')), this.timeLimitMs);
    this.thread ??= this.begin();
    this.thread.postMessage(this.asked.question);
  }

  private begin(): Worker {
    const limits = { maxOldGenerationSizeMb: HEAP_LIMIT_MB };
    const thread = new Worker(this.file, { resourceLimits: limits, stdout: true, stderr: true, env: {} });
    // Does not keep the process alive.
    thread.unref();
    thread.on('message', (answer: LayoutAnswer) => {
      if (thread === this.thread) this.answered(answer);
    });
    thread.on('error', (error) => {
      if (thread === this.thread) this.broke(error instanceof Error ? error.message : String(error));
    });
    thread.on('exit', () => {
      if (thread === this.thread) this.broke(t('Its thread ended.'));
    });
    return thread;
  }

  private answered(answer: LayoutAnswer): void {
    clearTimeout(this.late);
    const { asked } = this;
    this.asked = undefined;
    // Superseded by a newer request.
    if (this.next) asked?.resolve(undefined);
    else if ('drawing' in answer) asked?.resolve(answer.drawing);
    else asked?.reject(notDrawn(answer.failure));
    this.ask();
  }

  private broke(why: string): void {
    const { asked } = this;
    this.asked = undefined;
    this.end();
    asked?.reject(notDrawn(why));
    this.ask();
  }

  private end(): void {
    clearTimeout(this.late);
    const { thread } = this;
    this.thread = undefined;
    // Its work is abandoned anyway, so a failure to terminate is ignored.
    thread?.terminate().catch(() => undefined);
  }
}

function notDrawn(why: string): EngineError {
  return new EngineError('io', t('The graph could not be drawn. {0}', why));
}
