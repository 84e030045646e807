import type { Host } from '../../host';

/** Shows the panel used last and sends it this, to the run under way if there is one. */
export async function sendToChat({ panels, currentChat }: Host, text: string): Promise<void> {
  await panels.withPanel((controller) => controller.focusComposer());
  (await currentChat()).steer({ text });
}
