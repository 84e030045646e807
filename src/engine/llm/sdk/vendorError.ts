/** An error that a vendor reports inside a stream, where the SDK passes it on as data; read by `sdkError`. */
export class VendorError extends Error {
  constructor(readonly error: { message: string; code: string | undefined }) {
    super(error.message);
    this.name = 'VendorError';
  }
}
