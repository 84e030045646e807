const fs = require('node:fs');
const path = require('node:path');
const { say, state } = require('./state.js');

const words =
  state.topic
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
const name = words.slice(0, 8).join('-').slice(0, 60).replace(/-+$/, '') || 'report';

/** Nothing that is there is written over, also no link that leads nowhere. */
const isFree = (file) => fs.lstatSync(path.join(process.cwd(), file), { throwIfNoEntry: false }) === undefined;

let report_path = `research/${name}.md`;
for (let more = 2; !isFree(report_path); more++) report_path = `research/${name}-${more}.md`;
say({ report_path, document: `${state.report.trim()}\n\n${state.source_list}\n\n${state.verification}` });
