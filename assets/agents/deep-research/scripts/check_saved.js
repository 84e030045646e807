const fs = require('node:fs');
const path = require('node:path');
const { oneLine, say, state } = require('./state.js');

/** Undefined where there is none. */
function written() {
  try {
    return fs.readFileSync(path.join(process.cwd(), state.report_path), 'utf8');
  } catch {
    return undefined;
  }
}

const text = written();
const lines = (some) => some.trim().split(/\s+/).join(' ');
/** Only what was seen is said. */
function saved() {
  if (text === undefined) return `The report was not saved. ${oneLine(state.save_end)}`;
  if (lines(text) === lines(state.document)) return `Saved as ${state.report_path}.`;
  return `What stands in ${state.report_path} differs from this report.`;
}
say({ saved: saved() });
