import { AbortError } from '../../base/abort';

/**
 * Why a run is aborted when the editor closes. No one canceled it, so what it waited for stays open in the session and can be
 * continued.
 */
export class ShutDown extends AbortError {
  constructor() {
    super('The editor is closing');
  }
}

export function isShutDown(signal: AbortSignal): boolean {
  return signal.reason instanceof ShutDown;
}
