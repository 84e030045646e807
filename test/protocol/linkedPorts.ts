import { type Disposable, Emitter } from '../../src/base/disposable';
import type { Port } from '../../src/protocol/envelope';

/** Two connected in-memory ports that behave like postMessage: asynchronous, and copying. For tests and previews. */
export function linkedPorts(): [Port, Port] {
  const rethrow = (error: unknown) => {
    throw error;
  };
  const left = new Emitter<unknown>(rethrow);
  const right = new Emitter<unknown>(rethrow);
  return [portBetween(right, left), portBetween(left, right)];
}

function portBetween(out: Emitter<unknown>, into: Emitter<unknown>): Port {
  return {
    post: (message) => {
      const copy: unknown = structuredClone(message);
      queueMicrotask(() => out.emit(copy));
    },
    onMessage: (listener): Disposable => into.on(listener),
  };
}
