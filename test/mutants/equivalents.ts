import { engineEquivalents } from './engineEquivalents';
import type { Equivalent } from './equivalent';
import { frontEquivalents } from './frontEquivalents';
import { graphEquivalents } from './graphEquivalents';
import { hostEquivalents } from './hostEquivalents';
import { mcpEquivalents } from './mcpEquivalents';
import { permissionEquivalents } from './permissionEquivalents';

/** The known equivalents. They do not count as caught. */
export const equivalents: readonly Equivalent[] = [
  ...engineEquivalents,
  ...mcpEquivalents,
  ...graphEquivalents,
  ...permissionEquivalents,
  ...frontEquivalents,
  ...hostEquivalents,
];
