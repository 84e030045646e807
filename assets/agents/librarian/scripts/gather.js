// _next: synthesize, nothing_found
const { listOf, pageOf, say, sentences, state } = require('./state.js');

/** Of each search. */
const MOST_SOURCES = 12;

const NOTHING =
  'The searches worked, but nothing they found says anything to it. Ask in other words, or name the product and its version.';

const found = [state.docs_sources, state.code_sources].flatMap((sources) => sources.slice(0, MOST_SOURCES));
const byPage = new Map();
for (const { url, title, says } of found) {
  const page = pageOf(url);
  if (page === undefined || says.trim() === '') continue;
  const known = byPage.get(page);
  if (known) known.says += `\n${says}`;
  else byPage.set(page, { number: byPage.size + 1, title: title.trim() || page, url: page, says });
}
const sources = [...byPage.values()];

/** A search that failed tells why as its end, and one that ended gives an object there. */
const failed = (what, end) =>
  typeof end === 'string' && end !== '' ? `${what} was not searched to its end: ${end}` : '';
const trouble = sentences([
  state.docs_trouble,
  failed('The documentation', state.docs_end),
  state.code_trouble,
  failed('Public code', state.code_end),
]);
if (sources.length === 0) say({ trouble: trouble || NOTHING, _next: 'nothing_found' });
else say({ sources, trouble, source_list: listOf(sources), _next: 'synthesize' });
