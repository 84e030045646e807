import type { Frame } from 'playwright-core';
import type { EditorWindow } from './editorWindow';

/** The documents of all panels that are drawn, with what stands in them. */
export async function shownPanels(window: EditorWindow): Promise<{ frame: Frame; text: string }[]> {
  const frames = window.page.frames().filter((frame) => frame.url().includes('fake.html'));
  const drawn = await Promise.all(
    frames.map(async (frame) => ({
      frame,
      text: await frame
        .locator('main.panel')
        .innerText({ timeout: 2000 })
        .catch(() => ''),
    })),
  );
  return drawn.filter(({ text }) => text !== '');
}
