// What the scripts of this agent have in common.
const fs = require('node:fs');

exports.state = JSON.parse(process.env.GRAPH_STATE ?? fs.readFileSync(process.env.GRAPH_STATE_FILE, 'utf8'));

exports.say = (written) => console.log(JSON.stringify(written));

/** The address without what does not change the page; undefined for what is none of the web. */
exports.pageOf = (address) => {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href;
};

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
exports.oneLine = oneLine;

/** A title that does nothing to the list that it stands in, and leads nowhere itself. */
const plain = (text) =>
  oneLine(text)
    .replace(/https?:\/\/|www\.(?=\S)/gi, '')
    .replace(/[\\[\]<>`*_]/g, '\\$&');

exports.listOf = (sources) =>
  ['Sources:', '', ...sources.map(({ number, title, url }) => `${number}. ${plain(title)}: <${url}>`)].join('\n');

/** Citations, as numbers in brackets, alone or in a list. */
exports.CITATIONS = /\[(\d{1,3}(?:, ?\d{1,3})*)\](?!\()/g;

/** Brackets in code are no citations, and addresses in it are examples. */
exports.proseOf = (text) => text.replace(/^ *(`{3,}|~{3,})[^]*?(?:^ *\1|$(?![^]))/gm, '').replace(/`[^`\n]*`/g, '');

/** The numbers that a text cites, each once. */
exports.citedIn = (text) => [
  ...new Set(
    [...exports.proseOf(text).matchAll(exports.CITATIONS)].flatMap(([, numbers]) => numbers.split(',').map(Number)),
  ),
];
