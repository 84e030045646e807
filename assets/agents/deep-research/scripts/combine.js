// _next: vet, no_sources
const { CITATIONS, oneLine, pageOf, say, state } = require('./state.js');

/** Of each answer. */
const MOST_SOURCES = 20;

const NOTHING = 'Searching worked, but found nothing that says anything to it. Ask in other words, or more narrowly.';

// Numbers that were given stay: an earlier report may cite them.
const byPage = new Map(state.sources.map((source) => [source.url, { ...source }]));

/** The number of a source, new or known; undefined for what is none. */
function numberOf({ url, title, says }) {
  const page = pageOf(url);
  if (page === undefined || says.trim() === '') return undefined;
  const known = byPage.get(page);
  if (!known) byPage.set(page, { number: byPage.size + 1, title: oneLine(title) || page, url: page, says });
  else if (!known.says.includes(says)) known.says += `\n${says}`;
  return byPage.get(page).number;
}

/** Positions in the list of one answer become numbers in the list of all. */
function renumbered(text, numbers) {
  return text.replace(CITATIONS, (_whole, positions) => {
    const known = positions.split(',').flatMap((position) => numbers[Number(position) - 1] ?? []);
    return known.map((number) => `[${number}]`).join('');
  });
}

for (const source of state.background_sources.slice(0, MOST_SOURCES)) numberOf(source);
const fresh = state.findings.map(({ answer, sources, gaps }, at) => {
  const numbers = sources.slice(0, MOST_SOURCES).map(numberOf);
  return { question: state.questions[at]?.question ?? '', answer: renumbered(answer, numbers), gaps };
});
const all = [...state.all_findings, ...fresh];
const sources = [...byPage.values()];
const troubles = state.findings.map((finding) => oneLine(finding.trouble)).filter((one) => one !== '');
const trouble = [...new Set([...(state.trouble === '' ? [] : [state.trouble]), ...troubles])].join(' ');

const part = ({ question, answer, gaps }) =>
  `## ${oneLine(question)}\n\n${answer}${gaps.trim() === '' ? '' : `\n\nOpen: ${gaps}`}`;
const written = { all_findings: all, dossier: all.map(part).join('\n\n'), sources, trouble };
if (sources.length === 0) say({ trouble: trouble || NOTHING, _next: 'no_sources' });
else say({ ...written, _next: 'vet' });
