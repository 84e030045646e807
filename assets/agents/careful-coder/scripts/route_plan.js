// _next: approve_plan, implement
const { say, state } = require('./state.js');

const COMPLEX = 7;

say({ _next: state.complexity_score >= COMPLEX ? 'approve_plan' : 'implement' });
