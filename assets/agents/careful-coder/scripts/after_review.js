// _next: complete, implement
const { MOST_REVIEWS, say, state } = require('./state.js');

/** Only what was seen is said. */
function verified() {
  const said = (what, command, exit) => {
    if (command === '') return `No command for the ${what} is known, so none was run.`;
    return exit === 0 ? `“${command}” ran and passed.` : `“${command}” did not pass.`;
  };
  const review = state.review_clean
    ? 'The review found nothing to change.'
    : `The review still has notes: ${state.review_notes}`;
  return [
    said('build', state.build_command, state.build_exit),
    said('tests', state.test_command, state.test_exit),
    review,
  ].join('\n');
}

const reviews = state.reviews + 1;
if (state.review_clean || reviews >= MOST_REVIEWS) say({ reviews, verified: verified(), _next: 'complete' });
else say({ reviews, failure: `A review of the change found:\n${state.review_notes}`, _next: 'implement' });
