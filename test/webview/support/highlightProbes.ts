/** Probes for the find highlights in the page. Strings, because they run there. */

/** The highlighted texts in drawing order, and the current one. */
export const MARKED = `({
  all: ['find-hit', 'find-current'].flatMap((name) => [...(CSS.highlights.get(name) ?? [])].map(String)),
  current: [...(CSS.highlights.get('find-current') ?? [])].map(String)[0] ?? null,
})`;

/** Whether the current hit is inside the view, below the find bar. */
export const CURRENT_SEEN = `(() => {
  const [range] = CSS.highlights.get('find-current') ?? [];
  const view = document.querySelector('.transcript').getBoundingClientRect();
  const mark = range?.getBoundingClientRect();
  return mark !== undefined && mark.height > 0 && mark.top >= view.top + 30 && mark.bottom <= view.bottom;
})()`;

/** The id of the entry that contains the current hit. */
export const CURRENT_ENTRY = `(() => {
  const [range] = CSS.highlights.get('find-current') ?? [];
  return range?.startContainer.parentElement.closest('article')?.dataset.entryId ?? null;
})()`;
