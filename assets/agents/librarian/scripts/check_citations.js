// _next: answered, synthesize, uncited
const { listOf, pageOf, say, state } = require('./state.js');

/** An answer is sent back so often at most. */
const MOST_CORRECTIONS = 2;

/** Brackets in code are no citations, and addresses in it are examples. */
const prose = state.answer.replace(/^ *(`{3,}|~{3,})[^]*?(?:^ *\1|$(?![^]))/gm, '').replace(/`[^`\n]*`/g, '');
const groups = [...prose.matchAll(/\[(\d{1,3}(?:, ?\d{1,3})*)\](?!\()/g)];
const cited = new Set(groups.flatMap(([, numbers]) => numbers.split(',').map(Number)));
const isKnown = (one) => state.sources.some(({ number }) => number === one);
const known = state.sources.filter(({ number }) => cited.has(number));

const addresses = [...prose.matchAll(/https?:\/\/[^\s<>()"'\]]+/g)].map(([address]) =>
  address.replace(/[.,;:!?]+$/, ''),
);
const isSource = (address) => state.sources.some(({ url }) => url === pageOf(address));

const problems = [
  ...(known.length === 0 ? ['It cites no source.'] : []),
  ...[...cited].filter((one) => !isKnown(one)).map((one) => `It cites [${one}], and there is no such source.`),
  ...addresses
    .filter((address) => !isSource(address))
    .slice(0, 5)
    .map((address) => `It names ${address}, which is none of the sources.`),
];
const correction = problems.join(' ');
const corrections = state.corrections + 1;
const trouble = state.trouble === '' ? '' : `\n\nNot everything could be searched: ${state.trouble}`;

if (problems.length === 0) say({ source_list: listOf(known) + trouble, correction, _next: 'answered' });
else if (corrections <= MOST_CORRECTIONS) say({ corrections, correction, _next: 'synthesize' });
else say({ source_list: listOf(state.sources) + trouble, correction, _next: 'uncited' });
