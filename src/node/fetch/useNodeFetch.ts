import { nodeFetch } from './nodeFetch';
import { PlainHeaders } from './plainHeaders';

/** Nothing that is sent with `nodeFetch` is a form; SDKs only ask whether something is one. */
function NoFormData(): never {
  throw new TypeError('Only text and bytes can be sent.');
}

/** SDKs only ask whether something is one; the real class is loaded for who makes one. */
function WebStream(...given: ConstructorParameters<typeof ReadableStream>): ReadableStream {
  const { ReadableStream: Real } = process.getBuiltinModule('node:stream/web');
  return new Real(...given);
}

/** Puts our own fetch, and the classes that SDKs use with it, in the place of the built-in ones, which then never load. */
export function useNodeFetch(): void {
  const ours = {
    fetch: nodeFetch(process.env),
    Headers: PlainHeaders,
    FormData: NoFormData,
    ReadableStream: WebStream,
  };
  for (const [name, value] of Object.entries(ours)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
