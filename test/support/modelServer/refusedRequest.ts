/** A request that the vendor would refuse with status 400. */
export class RefusedRequest extends Error {}
