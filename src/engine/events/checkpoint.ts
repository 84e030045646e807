/** Where in a run a checkpoint is. */
export const CHECKPOINT_STEPS = ['after-input', 'before-model', 'before-tools', 'after-tools'] as const;
export type CheckpointStep = (typeof CHECKPOINT_STEPS)[number];

/** Names the place behind an entry of a history. That never changes, so nothing needs to be kept for it. */
export function checkpointId(entryId: string, step: CheckpointStep): string {
  return `${entryId}:${step}`;
}

/** The entry that such an id names; undefined for anything else. */
export function entryOfCheckpoint(id: string): string | undefined {
  return CHECKPOINT_STEPS.flatMap((step) => (id.endsWith(`:${step}`) ? [id.slice(0, -step.length - 1)] : []))[0];
}
