import * as z from '../../base/zod';
import { EngineError } from '../engineError';
import type { Resources } from './resources';

/** Made when something is kept or read. */
export const runMetadataSchema = z.lazy(() => z.record(z.string(), z.json()));
/** What programs keep with a session, as JSON. */
export type RunMetadata = Readonly<Record<string, JsonValue>>;
/** What JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** What tools and loops know of where they run, and no model is ever told. */
export interface HiddenContext {
  readonly runId: string;
  /** Of the agent that started this one; null where a person or a program did. */
  readonly parentSessionId: string | null;
  /** The request to the model that asked for the call, counted from 1 in each run; 0 before the first. */
  readonly turn: number;
  /** Of the engine, the session and the run; each comes before those it stands behind. */
  readonly metadata: RunMetadata;
  /** Of the run, then of the engine. Agents that others start have those of their parents. */
  readonly resources: Resources;
}

/** Throws EngineError `invalid-input` for what is no JSON, and so could not be saved. */
export function checkMetadata(metadata: RunMetadata): void {
  const issue = runMetadataSchema.safeParse(metadata).error?.issues[0];
  if (!issue) return;
  const place = issue.path.length > 0 ? `“${issue.path.map(String).join('.')}”` : 'It';
  throw new EngineError(
    'invalid-input',
    `The metadata of a run is stored as JSON. ${place} is not JSON; pass it as a resource.`,
  );
}
