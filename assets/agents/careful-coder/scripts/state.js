// What the scripts of this agent have in common.
const fs = require('node:fs');

/** The most attempts at a change whose build or tests fail. */
exports.MOST_ATTEMPTS = 3;
/** The most times that a review sends a change back. */
exports.MOST_REVIEWS = 2;

exports.state = JSON.parse(process.env.GRAPH_STATE ?? fs.readFileSync(process.env.GRAPH_STATE_FILE, 'utf8'));

exports.say = (written) => console.log(JSON.stringify(written));

/** Back to the change with what failed, or to the end after too many attempts. */
exports.backOrFailed = (failure) => {
  const attempts = exports.state.attempts + 1;
  exports.say({ attempts, failure, _next: attempts < exports.MOST_ATTEMPTS ? 'implement' : 'failed' });
};

/** How programs say that there is no test at all, whatever they end with. */
const NO_TESTS = [
  /^Ran 0 tests in /m, // unittest
  /^=* ?no tests ran in /m, // pytest
  /^(?:#|ℹ) tests 0$/m, // node --test
  /^No tests? (?:files )?found, exiting with code/m, // Jest, Vitest
  /^Error: No test files found/m, // Mocha
  /^No tests executed!/m, // PHPUnit
  /^No tests were found!!!/m, // CTest
  /^There are no tests to run/m, // mix
];

/** How they count those that there are: of several projects one may have none. */
const SOME_TESTS = [
  /^Ran [1-9]\d* tests? in /m,
  /^(?:#|ℹ) tests [1-9]/m,
  /\b[1-9]\d* (?:tests? )?(?:passed|failed|passing|failing|errors?)\b/i,
];

/** Whether the tests ran and there are none. */
exports.foundNoTests = () => {
  const { tests_ran: ran, test_output: output } = exports.state;
  const says = (pattern) => pattern.test(output);
  return ran !== '' && NO_TESTS.some(says) && !SOME_TESTS.some(says);
};
