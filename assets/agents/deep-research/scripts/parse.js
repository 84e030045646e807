// _next: ask_topic, begin
const { oneLine, say, state } = require('./state.js');

/** What the starters of the chat say, which name no topic. */
const STARTERS = [/^research a question that i will name\b/i, /\bi will name it\.?$/i];

const topic = state.initial_prompt.trim();
const isNamed =
  /[\p{L}\p{N}].*[\p{L}\p{N}].*[\p{L}\p{N}]/su.test(topic) && !STARTERS.some((one) => one.test(oneLine(topic)));
say(isNamed ? { topic, _next: 'begin' } : { _next: 'ask_topic' });
