// _next: research, write
const { say, state } = require('./state.js');

const asked = new Set(state.all_findings.map(({ question }) => question));
const questions = state.questions.filter(({ question }) => !asked.has(question));
say({
  questions,
  remarks: [...state.remarks, state.remark],
  ...{ rounds: state.rounds + 1, passes: 0, corrections: 0, correction: '' },
  _next: questions.length > 0 ? 'research' : 'write',
});
