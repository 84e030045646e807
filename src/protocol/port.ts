import type { Disposable } from '../base/disposable';

/** One end of the wire between host and panel. Messages arrive in order or not at all. */
export interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}
