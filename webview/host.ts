import type { Port } from '../src/protocol/envelope';
import { onDispose } from '../src/base/disposable';

/** What the editor gives a webview. It may be acquired once only. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** Keeps one plain value for this panel, over reloads of it. */
export interface PanelStorage {
  read(): unknown;
  write(value: unknown): void;
}

export interface Host {
  port: Port;
  storage: PanelStorage;
}

/** The only use of acquireVsCodeApi beside the document's early message box. */
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
