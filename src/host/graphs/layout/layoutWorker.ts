import { parentPort } from 'node:worker_threads';
import { errorText } from '../../../base/errorText';
import type { GraphDrawing, GraphShape } from '../../../protocol/graphDrawing';
import { layoutGraph } from './layoutGraph';

export interface LayoutQuestion {
  readonly shape: GraphShape;
  /** Groups that are drawn as the nodes that they are, by their ids. */
  readonly opened: readonly string[];
}

export type LayoutAnswer = { readonly drawing: GraphDrawing } | { readonly failure: string };

/** Runs in a thread of its own, which `LayoutThread` ends when it takes too long. Each question gets one answer. */
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
