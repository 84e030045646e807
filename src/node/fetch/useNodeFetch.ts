import { nodeFetch } from './nodeFetch';
import { PlainHeaders } from './plainHeaders';

/** Nothing that is sent with `nodeFetch` is a form; SDKs only ask whether something is one. */
function NoFormData(): never {
  throw new TypeError('Only text and bytes can be sent.');
}

/** Puts our own fetch, and the classes that SDKs use with it, in the place of the built-in ones, which then never load. */
export function useNodeFetch(): void {
  for (const [name, value] of Object.entries({ fetch: nodeFetch, Headers: PlainHeaders, FormData: NoFormData })) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
