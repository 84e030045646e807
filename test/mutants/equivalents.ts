import { engineEquivalents } from './engineEquivalents';
import type { Equivalent } from './equivalent';
import { frontEquivalents } from './frontEquivalents';

/** Known ones. They count as explained, not as noticed. */
export const equivalents: readonly Equivalent[] = [...engineEquivalents, ...frontEquivalents];
