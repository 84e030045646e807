import { engineEquivalents } from './engineEquivalents';
import type { Equivalent } from './equivalent';
import { frontEquivalents } from './frontEquivalents';
import { mcpEquivalents } from './mcpEquivalents';
import { permissionEquivalents } from './permissionEquivalents';

/** The known equivalents. They count as explained, not as detected. */
export const equivalents: readonly Equivalent[] = [
  ...engineEquivalents,
  ...mcpEquivalents,
  ...permissionEquivalents,
  ...frontEquivalents,
];
