// _next: analyze
const { say, state } = require('./state.js');

say({
  initial_prompt: `${state.initial_prompt}\n\nTo the plan “${state.plan_summary}” the user said: ${state.failure}`,
  failure: '',
  _next: 'analyze',
});
