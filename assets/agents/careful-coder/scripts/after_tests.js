// _next: review, implement, failed
const { backOrFailed, say, state } = require('./state.js');

const isBroken = state.test_command !== '' && state.test_exit !== 0;
if (isBroken) backOrFailed(`The tests “${state.test_command}” failed:\n${state.test_output}`);
else say({ failure: '', _next: 'review' });
