import type { BrowserContext, Frame } from 'playwright-core';

/**
 * Runs first in every document of the window. The editor writes a webview's document into a new, hidden frame and renames that
 * frame to `active-frame` when it shows it; the outer document stays.
 */
const PROBE = `(() => {
  const now = () => performance.timeOrigin + performance.now();
  const probe = { marks: {}, clicked: 0 };
  window.openingProbe = probe;
  window.addEventListener('mousedown', () => { probe.clicked = now(); }, true);
  if (!location.pathname.endsWith('/pre/index.html')) return;
  const isInput = (box) => !box.disabled && !box.readOnly && box.getClientRects().length > 0;
  const wanted = {
    input: (shown) => [...shown.querySelectorAll('textarea')].some(isInput),
    chat: (shown) => shown.querySelector('.composer .choice') !== null,
  };
  const look = () => {
    const shown = document.getElementById('active-frame')?.contentDocument;
    for (const [name, isThere] of Object.entries(wanted)) {
      if (!shown || !isThere(shown)) continue;
      delete wanted[name];
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { probe.marks[name] = now(); };
      channel.port2.postMessage(null);
    }
    if (Object.keys(wanted).length > 0) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

export type OpeningMark = 'input' | 'chat';

/** Records when a webview accepts text, in wall-clock time. */
export const openingProbe = {
  /** Installs the probe in every document opened from now on. */
  async watch(browser: BrowserContext): Promise<void> {
    await browser.addInitScript(PROBE);
  },

  /** Returns when the mouse was last pressed in this document. */
  async clickedAt(frame: Frame): Promise<number> {
    return Number(await frame.evaluate('openingProbe.clicked'));
  },

  /** Returns when the frame with an input that accepts text, or with the complete chat, was painted; undefined before that. */
  async paintedAt(frame: Frame, mark: OpeningMark): Promise<number | undefined> {
    const at = Number(await frame.evaluate(`openingProbe?.marks.${mark}`));
    return Number.isNaN(at) ? undefined : at;
  },
};
