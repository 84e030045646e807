// _next: verify_sources, write
const { citedIn, listOf, pageOf, proseOf, say, state } = require('./state.js');

/** A report is sent back so often at most. */
const MOST_CORRECTIONS = 2;

const numbers = citedIn(state.report);
const known = state.sources.filter(({ number }) => numbers.includes(number));
const unknown = numbers.filter((one) => !state.sources.some(({ number }) => number === one));
const addresses = [...proseOf(state.report).matchAll(/https?:\/\/[^\s<>()"'\]]+/g)];
const foreign = addresses
  .map(([address]) => address.replace(/[.,;:!?]+$/, ''))
  .filter((address) => !state.sources.some(({ url }) => url === pageOf(address)));
const correction = [
  ...(known.length === 0 ? ['It cites no source.'] : []),
  ...unknown.map((number) => `It cites [${number}], and there is no such source.`),
  ...foreign.slice(0, 5).map((address) => `It names ${address}, which is none of the sources.`),
].join(' ');

const corrections = state.corrections + 1;
if (correction !== '' && corrections <= MOST_CORRECTIONS) say({ correction, corrections, _next: 'write' });
else say({ correction, source_list: listOf(known), _next: 'verify_sources' });
