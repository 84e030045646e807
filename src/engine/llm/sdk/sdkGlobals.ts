/**
 * Stand-ins for the globals of these names, which esbuild injects into the SDKs' bundles; the process keeps its own. The SDKs
 * only collect headers and check whether a body is a form or a stream, which Cairn's never are. The built-in classes would load
 * the whole built-in fetch just for that.
 */
export { PlainHeaders as Headers } from '../../../base/streams/plainHeaders';

/** Cannot be constructed, so nothing is an instance of it. */
function neverSent(): never {
  throw new TypeError('Only text and bytes are sent to vendors.');
}

export { neverSent as FormData, neverSent as NoStream };
