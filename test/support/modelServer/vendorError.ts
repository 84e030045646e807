import type { ModelRequest } from './modelRequest';

const ANTHROPIC_TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
]);

/** The body of an error in the format of the API's vendor. */
export function vendorError(dialect: ModelRequest['dialect'], status: number, message: string): object {
  if (dialect === 'messages') {
    const type = ANTHROPIC_TYPES.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error');
    return { type: 'error', error: { type, message }, request_id: 'req_test' };
  }
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  return { error: { message, type, param: null, code: null } };
}
