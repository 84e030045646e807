// _next: verify_tests, implement, failed
const { backOrFailed, say, state } = require('./state.js');

const isBroken = state.build_command !== '' && state.build_exit !== 0;
if (isBroken) backOrFailed(`The build “${state.build_command}” failed:\n${state.build_output}`);
else say({ _next: 'verify_tests' });
