import { Deferred } from '../base/async';
import { type Disposable, DisposableStore, Emitter } from '../base/disposable';
import { t } from '../base/l10n';
import { type PanelEnvelope, parsePanelEnvelope, type Port } from './envelope';
import type { HostApi, HostMethod } from './hostApi';

/** Messages other than responses. */
export type HostMessage = Exclude<PanelEnvelope, { kind: 'response' }>;

/** The panel's end of the connection. A request rejects with the host's message if its handler fails. */
export class HostClient implements Disposable {
  private readonly waiting = new Map<number, Deferred<unknown>>();
  private readonly disposables = new DisposableStore();
  private readonly messages: Emitter<HostMessage>;
  private lastId = 0;

  constructor(
    private readonly port: Port,
    onListenerError: (error: unknown) => void,
  ) {
    this.messages = this.disposables.add(new Emitter<HostMessage>(onListenerError));
    this.disposables.add(port.onMessage((message) => this.receive(message)));
  }

  async request<M extends HostMethod>(method: M, params: HostApi[M]['params']): Promise<HostApi[M]['result']> {
    const id = ++this.lastId;
    const answer = new Deferred<unknown>();
    this.waiting.set(id, answer);
    this.port.post({ kind: 'request', id, method, params });
    // The only cast in the protocol: host and panel are built from the same HostApi and ship together.
    return (await answer.promise) as HostApi[M]['result'];
  }

  onMessage(listener: (message: HostMessage) => void): Disposable {
    return this.messages.on(listener);
  }

  dispose(): void {
    this.disposables.dispose();
    for (const answer of this.waiting.values()) answer.reject(new Error(t('The panel was closed.')));
    this.waiting.clear();
  }

  private receive(message: unknown): void {
    const envelope = parsePanelEnvelope(message);
    if (!envelope) return;
    if (envelope.kind !== 'response') return this.messages.emit(envelope);
    const answer = this.waiting.get(envelope.id);
    this.waiting.delete(envelope.id);
    if (envelope.ok) answer?.resolve(envelope.result);
    else answer?.reject(new Error(envelope.error));
  }
}

/** HostClient.request, as passed to the actions, its only callers. */
export type RequestHost = <M extends HostMethod>(
  method: M,
  params: HostApi[M]['params'],
) => Promise<HostApi[M]['result']>;
