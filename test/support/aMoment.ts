import { setTimeout } from 'node:timers/promises';

const LOOK_AGAIN_MS = 10;

/** The pause between two looks at something that gives no notice. Looking without a pause would take a core from what is waited for. */
export async function aMoment(): Promise<void> {
  await setTimeout(LOOK_AGAIN_MS);
}
