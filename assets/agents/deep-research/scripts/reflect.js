// _next: research, write
const { say, state } = require('./state.js');

/** Research goes on so often at most before a report is written. */
const MOST_PASSES = 2;

const asked = new Set(state.all_findings.map(({ question }) => question));
const questions = state.questions.filter(({ question }) => !asked.has(question));
const goesOn = state.verdict === 'revise' && state.passes < MOST_PASSES && questions.length > 0;
if (goesOn) say({ questions, passes: state.passes + 1, _next: 'research' });
else say({ correction: '', corrections: 0, _next: 'write' });
