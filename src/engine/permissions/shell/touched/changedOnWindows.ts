import type { ShellWord } from '../shellPart';
import { type ChangedWords, NOTHING } from './changed';

const COPIES = /^(copy|xcopy|robocopy|replace|expand|makecab|cp|cpi|copy-item|compress-archive)$/;
const MOVES = /^(move|mv|mi|move-item|ren|rename|rni|rename-item)$/;
const REMOVES = /^(del|erase|rd|rmdir|ri|rm|remove-item)$/;
const WRITES =
  /^(mklink|md|mkdir|ni|new-item|sc|set-content|ac|add-content|clc|clear-content|cli|clear-item|si|set-item|out-file|tee|tee-object|epcsv|export-\w+|attrib|icacls|takeown|compact|cipher|touch)$/;
/** Commands that write what they download or decode to the path in the last word, or after a parameter such as `-OutFile`. */
const FETCHES = /^(certutil|bitsadmin|start-bitstransfer|iwr|irm|wget|curl|invoke-webrequest|invoke-restmethod)$/;
/** Places of PowerShell that are no files: the registry, and what later commands mean. */
const SETTING = /^["']?(registry::|hk(lm|cu|cr|u|cc|ey_\w+)(:|\\|$)|(function|alias|cert|wsman):)/i;
const READS =
  /^(get-\w+|gp|gpv|gi|gci|ls|dir|cat|gc|type|test-path|resolve-path|rvpa|cd|sl|set-location|pushd|push-location|echo|write-\w+|reg)$/;
const UNPACKS = /^(expand-archive)$/;

/** Returns what a program or a command of cmd or PowerShell touches through its words; undefined for any other. */
export function changedOnWindows(name: string, rest: readonly ShellWord[]): ChangedWords | undefined {
  const { operands, targets, sources } = taken(rest);
  const all = [...operands, ...sources, ...targets];
  const setting = all.find(({ text }) => SETTING.test(text));
  if (setting && !READS.test(name)) return { ...NOTHING, unknown: setting.text };
  if (REMOVES.test(name)) return { ...NOTHING, removed: all };
  if (WRITES.test(name)) return { ...NOTHING, changed: all };
  if (MOVES.test(name)) return { ...NOTHING, removed: [...operands.slice(0, 1), ...sources], changed: all };
  if (UNPACKS.test(name)) return { ...NOTHING, unknown: name };
  const has = (option: RegExp) => rest.some(({ text }) => option.test(text));
  if (COPIES.test(name)) {
    const from = targets.length > 0 ? operands : operands.slice(0, 1);
    const to = targets.length > 0 ? targets : operands.slice(sources.length > 0 ? 0 : 1);
    const removed = [...(has(/^\/(mir|purge)$/i) ? to : []), ...(has(/^\/move?$/i) ? from : [])];
    return { ...NOTHING, changed: to, copied: [...from, ...sources], removed };
  }
  if (!FETCHES.test(name)) return undefined;
  if (targets.length > 0) return { ...NOTHING, changed: targets };
  // Otherwise they are called like the programs of the same names.
  return /^(certutil|bitsadmin|start-bitstransfer)$/.test(name)
    ? { ...NOTHING, changed: operands.slice(1).slice(-1) }
    : undefined;
}

/** Sorts words by the parameter before them. Parameter names may be abbreviated, and the value may follow a colon. */
function taken(rest: readonly ShellWord[]) {
  const operands: ShellWord[] = [];
  const targets: ShellWord[] = [];
  const sources: ShellWord[] = [];
  let into = operands;
  for (const { text, kind } of rest) {
    const [, parameter, value = ''] = /^-([a-z]+)(?::(.*))?$/is.exec(text) ?? [];
    if (parameter === undefined) {
      // A slash followed by letters is an option of cmd.
      if (!/^\/[a-z?-]+(:\S*)?$/i.test(text)) into.push({ text, kind });
      into = operands;
      continue;
    }
    into = /^(des|outf|filep)/i.test(parameter)
      ? targets
      : /^(p|pa|pat|path|lit\w*|inp\w*)$/i.test(parameter)
        ? sources
        : operands;
    if (value !== '') into.push({ text: value, kind });
  }
  return { operands, targets, sources };
}
