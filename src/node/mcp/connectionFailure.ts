import { errorText } from '../../base/errors';
import { safeText } from '../../base/shown/safeText';
import { truncateMiddle } from '../../base/truncate';
import { EngineError, MalformedAnswerError } from '../../engine';
import { MALFORMED } from './incoming/answerFlaw';
import type * as mcpLibrary from './mcpLibrary';

/** The maximum length of a failure, most of which a server may have written. */
const MAX_FAILURE = 10_000;

interface FailureParts {
  library: typeof mcpLibrary;
  /** Redacts values that must not be shown. */
  strike: (text: string) => string;
}

/** Returns the error for a request or a connection that failed. `story`: how the server ended, if it did. */
export function failure(error: unknown, story: string, { library, strike }: FailureParts): EngineError {
  const { ProtocolError, SdkError, SdkErrorCode } = library;
  const refused = refusalIn(error);
  if (refused) return refused;
  const code = error instanceof SdkError ? error.code : undefined;
  const said = code === SdkErrorCode.RequestTimeout ? 'It did not answer in time.' : sentence(errorText(error));
  // How the program ended says more than that the connection was closed.
  const what = code === SdkErrorCode.ConnectionClosed && story !== '' ? '' : said;
  // A server may echo what it was sent.
  const told = strike([what, story].filter((one) => one !== '').join(' '));
  const shown = truncateMiddle(safeText(told), MAX_FAILURE).text;
  if (error instanceof ProtocolError && error.code === MALFORMED) return new MalformedAnswerError(shown, error);
  return new EngineError('io', shown, { cause: error });
}

/** The SDK wraps network errors in its own errors. */
function refusalIn(error: unknown): EngineError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (EngineError.is(cause, 'denied') || EngineError.is(cause, 'no-key')) return cause;
  }
  return undefined;
}

export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
