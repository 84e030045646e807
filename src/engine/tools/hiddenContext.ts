import * as z from '../../base/zod';
import { EngineError } from '../engineError';
import type { Resources } from './resources';

/** Built on the first write or read. */
export const runMetadataSchema = z.lazy(() => z.record(z.string(), z.json()));
/** Data that programs store with a session, as JSON. */
export type RunMetadata = Readonly<Record<string, JsonValue>>;
/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** The context of tools and loops, which no model ever sees. */
export interface HiddenContext {
  readonly runId: string;
  /** The session of the agent that started this one; null if a user or a program did. */
  readonly parentSessionId: string | null;
  /** The number of the model request that made the call, from 1 in each run; 0 before the first. */
  readonly turn: number;
  /** From the engine, the session and the run; each overrides the ones before it. */
  readonly metadata: RunMetadata;
  /** From the run, then from the engine. Agents started by others have those of their parents. */
  readonly resources: Resources;
}

/** Throws EngineError `invalid-input` for what is not JSON and so could not be stored. */
export function checkMetadata(metadata: RunMetadata): void {
  const issue = runMetadataSchema.safeParse(metadata).error?.issues[0];
  if (!issue) return;
  const place = issue.path.length > 0 ? `“${issue.path.map(String).join('.')}”` : 'It';
  throw new EngineError(
    'invalid-input',
    `The metadata of a run is stored as JSON. ${place} is not JSON; pass it as a resource.`,
  );
}
