import type { SdkTarget } from '../sdk/sdkTarget';

/** What a provider is told by whoever makes it; read anew with each request. */
export interface ProviderSettings {
  /** Another address than the vendor's own. */
  readonly baseUrl?: string | undefined;
  apiKey(): Promise<string | undefined>;
  readonly proxySignIn?: SdkTarget['proxySignIn'];
  readonly idle?: SdkTarget['idle'];
  readonly fetch?: SdkTarget['fetch'];
}
