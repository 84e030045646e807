// _next: approve, write
const { citedIn, oneLine, say, state } = require('./state.js');

/** With those of the citations. */
const MOST_CORRECTIONS = 2;

const cited = citedIn(state.report);
const isEnded = typeof state.verify_end !== 'string';
const doubts = isEnded ? state.doubts.filter(({ number }) => cited.includes(number)) : [];
const doubted = doubts.map(({ number, doubt }) => `[${number}]: ${oneLine(doubt)}`);
const corrections = state.corrections + 1;

/** Only what was seen is said. */
function verification() {
  if (!isEnded) return `The sources were not compared with the report: ${oneLine(state.verify_end)}`;
  const verified = state.verified.filter(
    (number) => cited.includes(number) && !doubts.some((one) => one.number === number),
  );
  const compared = `Cited sources that were opened again and say what they are cited for: ${new Set(verified).size} of ${cited.length}.`;
  return doubted.length === 0 ? compared : `${compared}\n\nIn doubt:\n\n${doubted.map((one) => `- ${one}`).join('\n')}`;
}

const notes = [
  verification(),
  ...(state.correction === '' || doubted.length > 0 ? [] : [`What could not be corrected: ${state.correction}`]),
  ...(state.trouble === '' ? [] : [`Not everything could be searched: ${state.trouble}`]),
];
if (doubted.length > 0 && corrections <= MOST_CORRECTIONS)
  say({
    corrections,
    correction: `These sources do not say what they are cited for: ${doubted.join(' ')}`,
    _next: 'write',
  });
else say({ verification: notes.join('\n\n'), _next: 'approve' });
