/** Probes for the page of a long session. Strings, because they run there. */

/** The entry at the top of the view, and how far its top is below the view's. */
export const TOP_ENTRY = `(() => {
  const scroller = document.querySelector('.transcript');
  const { top, left, width } = scroller.getBoundingClientRect();
  const article = document.elementFromPoint(left + width / 2, top + 3)?.closest('article');
  return { id: article?.dataset.entryId ?? null, y: Math.round((article?.getBoundingClientRect().top ?? 0) - top) };
})()`;

/** The number of elements in the document. */
export const ELEMENTS = "document.querySelectorAll('*').length";

/**
 * Scrolls by `step` pixels in each of `frames` frames and counts the frames that were painted with nothing in the upper, middle,
 * or lower part of the view.
 */
export function flinging(step: number, frames: number): string {
  return `(async () => {
    const scroller = document.querySelector('.transcript');
    const box = scroller.getBoundingClientRect();
    const seen = (y) => document.elementFromPoint(box.left + box.width / 2, y)?.closest('article') !== null;
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve();
      channel.port2.postMessage(null);
    }));
    let blank = 0;
    for (let frame = 0; frame < ${frames}; frame++) {
      scroller.scrollTop += ${step};
      await painted();
      const atEdge = scroller.scrollTop < 20 || scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < 20;
      if (!atEdge && !(seen(box.top + 8) && seen(box.top + box.height / 2) && seen(box.bottom - 8))) blank++;
    }
    return blank;
  })()`;
}

/** Streams `deltas` into the entry, one per frame, and counts the changes to and measurements of the document. */
export function streaming(entryId: string, deltas: number): string {
  return `(async () => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve();
      channel.port2.postMessage(null);
    }));
    await painted();
    let steps = 0;
    const observer = new MutationObserver((records) => (steps += records.length));
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    const measure = Element.prototype.getBoundingClientRect;
    Element.prototype.getBoundingClientRect = function () {
      steps += 1;
      return measure.call(this);
    };
    for (let seq = 1; seq <= ${deltas}; seq++) {
      const events = [{ type: 'text-appended', entryId: '${entryId}', text: seq % 20 === 0 ? 'end.\\n\\n' : 'some words ' }];
      const data = { kind: 'events', sessionId: 'session', firstSeq: seq, events };
      window.dispatchEvent(new MessageEvent('message', { data }));
      await painted();
    }
    observer.disconnect();
    Element.prototype.getBoundingClientRect = measure;
    return steps;
  })()`;
}

/**
 * Scrolls a long answer from its end to its beginning by `step` pixels per frame. Returns the headings that were in view, in
 * order of appearance, and how much the total height varied in the process.
 */
export function partsSeen(step: number): string {
  return `(async () => {
    const scroller = document.querySelector('.transcript');
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve();
      channel.port2.postMessage(null);
    }));
    const { top, bottom } = scroller.getBoundingClientRect();
    const seen = new Set();
    const look = () => {
      const inView = [...document.querySelectorAll('.markdown h4')].filter((heading) => {
        const box = heading.getBoundingClientRect();
        return box.bottom > top && box.top < bottom;
      });
      for (const heading of inView.reverse()) seen.add(heading.textContent);
    };
    await painted();
    const heights = new Set([scroller.scrollHeight]);
    look();
    while (scroller.scrollTop > 0) {
      scroller.scrollTop += ${step};
      await painted();
      heights.add(scroller.scrollHeight);
      look();
    }
    return { seen: [...seen], heights: Math.max(...heights) - Math.min(...heights) };
  })()`;
}
