// _next: complete, implement
const { foundNoTests, MOST_REVIEWS, say, state } = require('./state.js');

/** Only what was seen is said. */
function verified() {
  const said = (what, { command, ran, exit, output }) => {
    if (command === '') return `No command for the ${what} is known, so none was run.`;
    if (ran === '') return `“${command}” was not run: ${output.replace(/\s+/g, ' ').trim()}`;
    return exit === 0 ? `“${command}” ran and passed.` : `“${command}” did not pass.`;
  };
  const build = said('build', {
    ...{ command: state.build_command, ran: state.build_ran },
    ...{ exit: state.build_exit, output: state.build_output },
  });
  const tests = said('tests', {
    ...{ command: state.test_command, ran: state.tests_ran },
    ...{ exit: state.test_exit, output: state.test_output },
  });
  const review = state.review_clean
    ? 'The review found nothing to change.'
    : `The review still has notes: ${state.review_notes}`;
  return [build, foundNoTests() ? `“${state.test_command}” ran and found no tests.` : tests, review].join('\n');
}

const reviews = state.reviews + 1;
if (state.review_clean || reviews >= MOST_REVIEWS) say({ reviews, verified: verified(), _next: 'complete' });
else say({ reviews, failure: `A review of the change found:\n${state.review_notes}`, _next: 'implement' });
