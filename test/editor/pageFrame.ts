import type { Frame } from 'playwright-core';
import type { EditorWindow } from './editorWindow';
import { until } from './until';

/** Returns the document of one of Cairn's pages in an editor tab, by its title. */
export function pageFrame(window: EditorWindow, title: string): Promise<Frame> {
  return until(`the page ${title}`, async () => {
    for (const frame of window.page.frames()) {
      if (!frame.url().includes('fake.html')) continue;
      if ((await frame.title().catch(() => '')) !== title) continue;
      const element = await frame.frameElement();
      if ((await element.getAttribute('id')) === 'active-frame') return frame;
    }
    return undefined;
  });
}
