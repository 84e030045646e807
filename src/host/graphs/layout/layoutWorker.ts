import { parentPort } from 'node:worker_threads';
import { errorText } from '../../../base/errors';
import type { GraphDrawing, GraphShape } from '../../../protocol/graphDrawing';
import { layoutGraph } from './layoutGraph';

export interface LayoutQuestion {
  readonly shape: GraphShape;
  /** Ids of groups to draw as separate nodes. */
  readonly opened: readonly string[];
}

export type LayoutAnswer = { readonly drawing: GraphDrawing } | { readonly failure: string };

/** Runs in a worker thread, which `LayoutThread` terminates if it takes too long. Each request gets exactly one answer. */
parentPort?.on('message', ({ shape, opened }: LayoutQuestion) => {
  parentPort?.postMessage(answerTo(shape, opened));
});

function answerTo(shape: GraphShape, opened: readonly string[]): LayoutAnswer {
  try {
    return { drawing: layoutGraph(shape, opened) };
  } catch (error) {
    return { failure: errorText(error) };
  }
}
