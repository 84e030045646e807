import type { Model } from './model';

/** A model that can be chosen. */
export interface ModelListing {
  model: Model;
  /** The provider's name for people. */
  provider: string;
  /** False when the provider lacks its key, or its server does not run. */
  ready: boolean;
  /** False for servers of the person's own, the editor's models and the tour. */
  needsKey: boolean;
  /** True for the tour, which is no model. */
  scripted: boolean;
}
