// _next: review, implement, failed
const { backOrFailed, foundNoTests, say, state } = require('./state.js');

// What could not be run, such as what a user refused, says nothing about the change; nor do tests that there are not.
const isBroken = state.tests_ran !== '' && state.test_exit !== 0 && !foundNoTests();
if (isBroken) backOrFailed(`The tests “${state.test_command}” failed:\n${state.test_output}`);
else say({ failure: '', _next: 'review' });
