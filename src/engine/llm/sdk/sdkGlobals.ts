/**
 * What the SDKs take for the globals of these names: esbuild puts it into their bundles, and the process keeps its own. They only
 * collect headers, and ask of a body whether it is a form or a stream, which none of ours is; the built-in classes would load
 * the whole of the built-in fetch for that.
 */
export { PlainHeaders as Headers } from '../../../base/streams/plainHeaders';

/** Nothing is one of these, since none can be made. */
function neverSent(): never {
  throw new TypeError('Only text and bytes are sent to vendors.');
}

export { neverSent as FormData, neverSent as NoStream };
