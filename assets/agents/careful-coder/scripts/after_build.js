// _next: verify_tests, implement, failed
const { backOrFailed, say, state } = require('./state.js');

// What could not be run, such as what a user refused, says nothing about the change.
const isBroken = state.build_ran !== '' && state.build_exit !== 0;
if (isBroken) backOrFailed(`The build “${state.build_command}” failed:\n${state.build_output}`);
else say({ _next: 'verify_tests' });
