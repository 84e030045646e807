import * as z from '../../base/zod';
import { fields } from '../checkPlugin';

/** One that is no number would limit nothing. */
const limit = z.custom<number>((value) => typeof value === 'number' && value >= 0, 'expected a number from 0 on');
const [given, said] = [z.exactOptional(limit), z.optional(limit)];

/** `RunLimits` of a request. One that is there and undefined would take the agent's away. */
export const limitsSchema = fields({ turns: given, timeMs: given, tokens: given, costUsd: given });

/** The same of an agent, where it counts as one that is not said. */
export const agentLimitsSchema = fields({ turns: said, timeMs: said, tokens: said, costUsd: said });
