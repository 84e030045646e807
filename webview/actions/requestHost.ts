import type { HostApi, HostMethod } from '../../src/protocol/hostApi';

/** HostClient.request, handed to the actions, which are its only callers. */
export type RequestHost = <M extends HostMethod>(
  method: M,
  params: HostApi[M]['params'],
) => Promise<HostApi[M]['result']>;
