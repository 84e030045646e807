import type { Panel } from '../editor/panel';
import { until } from '../editor/until';
import { QuickList } from './quickList';

/** Chooses an agent, of which the file may just have been written, and waits until messages go to it. */
export async function chooseAgent(panel: Panel, name: string): Promise<void> {
  await new QuickList(panel.window).openUntil('cairn.chooseAgent', name);
  await panel.pick(name);
  await until(`the agent ${name}`, async () => (await panel.button(`Agent: ${name}`)).isVisible());
}
