import { engineEquivalents } from './engineEquivalents';
import type { Equivalent } from './equivalent';
import { frontEquivalents } from './frontEquivalents';
import { mcpEquivalents } from './mcpEquivalents';
import { permissionEquivalents } from './permissionEquivalents';

/** Known ones. They count as explained, not as noticed. */
export const equivalents: readonly Equivalent[] = [
  ...engineEquivalents,
  ...mcpEquivalents,
  ...permissionEquivalents,
  ...frontEquivalents,
];
