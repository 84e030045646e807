import type { Fetch } from '../../ports';
import type { Model } from '../model';
import type { IdleLimit } from './watchIdle';

/** Whom an SDK asks: one model at one address, with the person's key. */
export interface SdkTarget {
  /** The provider's name in sentences: "OpenAI". */
  label: string;
  /** As the SDK wants it; may hold credentials, so it is never shown as it is. */
  baseUrl: string;
  model: Model;
  /** The environment variable that may hold the key; for sentences. */
  keyVariable: string;
  /** False where a request may go out without a key. */
  needsKey: boolean;
  apiKey(): Promise<string | undefined>;
  /** Absent: a stream may say nothing for as long as it likes. */
  idle?: IdleLimit | undefined;
  /** Default: that of the process. */
  fetch?: Fetch | undefined;
  /** See EngineParts. */
  proxySignIn?: ((target: URL) => string | undefined) | undefined;
}
