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
