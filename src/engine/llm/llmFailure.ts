/** Why a model did not answer. */
export type LlmFailureReason =
  /** No API key is set for the provider. */
  | 'no-key'
  /** The provider refused the key (401, 403). */
  | 'auth'
  | 'unknown-model'
  | 'rate-limit'
  | 'context-overflow'
  /** The request was refused for another reason (400, 422). */
  | 'bad-request'
  /** The provider's own trouble (5xx, overloaded). */
  | 'server'
  /** Nobody answers at the address, or what answers speaks another language. */
  | 'unreachable'
  /** The stream broke before its end. */
  | 'cut-stream'
  /** A middleware of others failed, before the model was asked or after it had answered. */
  | 'middleware'
  | 'cancelled';

export interface LlmFailure {
  reason: LlmFailureReason;
  /** For a person: what happened, where (provider, address), what to do next. Holds no secret. */
  message: string;
  /** HTTP status, when there was an answer. */
  status?: number;
  /** Of `rate-limit`: when the provider will take requests again. */
  retryAfterMs?: number;
}
