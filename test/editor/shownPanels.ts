import type { Frame } from 'playwright-core';
import type { EditorWindow } from './editorWindow';

/** Returns the documents of all rendered panels with their text. */
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
