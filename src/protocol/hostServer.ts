import * as z from 'zod/mini';
import type { Disposable } from '../base/disposable';
import { errorText } from '../base/errors';
import { t } from '../base/l10n';
import { type PanelEnvelope, parseRequestEnvelope, type Port, type RequestEnvelope } from './envelope';
import { type Handlers, hostApiParams, type HostMethod } from './hostApi';

/** The host's end of the connection: finds the handler, checks the parameters, and turns exceptions into error responses. */
export class HostServer implements Disposable {
  private readonly listening: Disposable;

  constructor(
    private readonly port: Port,
    private readonly handlers: Handlers,
    private readonly onHandlerError: (method: string, error: unknown) => void,
  ) {
    this.listening = port.onMessage((message) => {
      const envelope = parseRequestEnvelope(message);
      if (envelope) void this.answer(envelope);
    });
  }

  /** Sends the panel a message other than a response. */
  post(message: Exclude<PanelEnvelope, { kind: 'response' }>): void {
    this.port.post(message);
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async answer({ id, method, params }: RequestEnvelope): Promise<void> {
    try {
      if (!isHostMethod(method))
        throw new Error(t('The panel asked for "{0}", which this host does not know.', method));
      const result = await dispatch(this.handlers, method, params);
      this.port.post({ kind: 'response', id, ok: true, result });
    } catch (error) {
      this.onHandlerError(method, error);
      this.port.post({ kind: 'response', id, ok: false, error: errorText(error) });
    }
  }
}

function isHostMethod(method: string): method is HostMethod {
  return Object.hasOwn(hostApiParams, method);
}

async function dispatch(handlers: Handlers, method: HostMethod, params: unknown): Promise<unknown> {
  const parsed = z.safeParse(hostApiParams[method], params);
  if (!parsed.success)
    throw new Error(t('The panel sent bad parameters for "{0}": {1}', method, z.prettifyError(parsed.error)));
  // The only cast on this side: the compiler cannot pair a method with its schema, even though both have the same key.
  const handler = handlers[method] as (params: unknown) => Promise<unknown>;
  return handler(parsed.data);
}
