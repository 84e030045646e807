import type { Panel } from '../editor/panel';
import { until } from '../editor/until';

/** Waits for the line below a finished turn. */
export async function turnEnds(panel: Panel): Promise<void> {
  const ended = async (): Promise<boolean> => (await panel.entries()).some(({ kind }) => kind === 'turn');
  await until('the turn to end', ended, 60_000);
}
