import type { Port } from '../src/protocol/envelope';
import { onDispose } from '../src/base/disposable';

/** The editor's API for webviews. It can be acquired only once. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** Stores a plain value for this panel across reloads. */
export interface PanelStorage {
  read(): unknown;
  write(value: unknown): void;
}

interface Host {
  port: Port;
  storage: PanelStorage;
}

/** The only use of acquireVsCodeApi besides the document's early message box. */
export function connectHost(): Host {
  const api = acquireVsCodeApi();
  return {
    port: {
      post: (message) => api.postMessage(message),
      onMessage(listener) {
        const receive = (event: MessageEvent<unknown>) => listener(event.data);
        window.addEventListener('message', receive);
        return onDispose(() => window.removeEventListener('message', receive));
      },
    },
    storage: { read: () => api.getState(), write: (value) => api.setState(value) },
  };
}
