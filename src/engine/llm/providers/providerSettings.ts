import type { SdkTarget } from '../sdk/sdkTarget';

/** The settings a provider is created with, read anew for each request. */
export interface ProviderSettings {
  /** Overrides the vendor's own address. */
  readonly baseUrl?: string | undefined;
  apiKey(): Promise<string | undefined>;
  readonly proxySignIn?: SdkTarget['proxySignIn'];
  readonly idle?: SdkTarget['idle'];
  readonly fetch?: SdkTarget['fetch'];
}
