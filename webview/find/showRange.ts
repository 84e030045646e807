/** Scrolls everything between the range and `scroller`, both included, so that the range is seen. */
export function showRange(range: Range, scroller: Element): void {
  const { startContainer } = range;
  let box: Element | null = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  for (; box && scroller.contains(box); box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    if (overflowX === 'auto' || overflowX === 'scroll') scrollAside(box, range);
    if (overflowY === 'auto' || overflowY === 'scroll') scrollAlong(box, range);
  }
}

function scrollAside(box: Element, range: Range): void {
  const view = box.getBoundingClientRect();
  const mark = range.getBoundingClientRect();
  if (mark.left < view.left || mark.right > view.right) box.scrollLeft += mark.left - view.left - view.width / 3;
}

function scrollAlong(box: Element, range: Range): void {
  const view = box.getBoundingClientRect();
  const mark = range.getBoundingClientRect();
  // Below the find bar, which stands over the top.
  const isSeen = mark.top >= view.top + 48 && mark.bottom <= view.bottom - 8;
  if (!isSeen) box.scrollTop += mark.top - view.top - view.height / 3;
}
