/** What is asked of the page about the marks of find. Text, because it runs there. */

/** The texts that are marked, in the order they were drawn, and the one that is shown now. */
export const MARKED = `({
  all: ['find-hit', 'find-current'].flatMap((name) => [...(CSS.highlights.get(name) ?? [])].map(String)),
  current: [...(CSS.highlights.get('find-current') ?? [])].map(String)[0] ?? null,
})`;

/** Whether the current hit lies inside the view, below the find bar. */
export const CURRENT_SEEN = `(() => {
  const [range] = CSS.highlights.get('find-current') ?? [];
  const view = document.querySelector('.transcript').getBoundingClientRect();
  const mark = range?.getBoundingClientRect();
  return mark !== undefined && mark.height > 0 && mark.top >= view.top + 30 && mark.bottom <= view.bottom;
})()`;

/** The id of the entry that the current hit stands in. */
export const CURRENT_ENTRY = `(() => {
  const [range] = CSS.highlights.get('find-current') ?? [];
  return range?.startContainer.parentElement.closest('article')?.dataset.entryId ?? null;
})()`;
