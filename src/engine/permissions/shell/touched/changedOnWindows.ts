import type { ShellWord } from '../shellPart';
import { type ChangedWords, NOTHING } from './changed';

const COPIES = /^(copy|xcopy|robocopy|replace|expand|makecab|cp|cpi|copy-item|compress-archive)$/;
const MOVES = /^(move|mv|mi|move-item|ren|rename|rni|rename-item)$/;
const REMOVES = /^(del|erase|rd|rmdir|ri|rm|remove-item)$/;
const WRITES =
  /^(mklink|md|mkdir|ni|new-item|sc|set-content|ac|add-content|clc|clear-content|cli|clear-item|si|set-item|out-file|tee|tee-object|epcsv|export-\w+|attrib|icacls|takeown|compact|cipher|touch)$/;
/** What these fetch or decode is written where the last word says, or one behind such a name. */
const FETCHES = /^(certutil|bitsadmin|start-bitstransfer|iwr|irm|wget|curl|invoke-webrequest|invoke-restmethod)$/;
const UNPACKS = /^(expand-archive)$/;

/** What programs and commands of cmd and PowerShell touch by their words; undefined for all others. */
export function changedOnWindows(name: string, rest: readonly ShellWord[]): ChangedWords | undefined {
  const { operands, targets, sources } = taken(rest);
  const all = [...operands, ...sources, ...targets];
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
  // Their other ways to call them are those of the programs of these names.
  return /^(certutil|bitsadmin|start-bitstransfer)$/.test(name)
    ? { ...NOTHING, changed: operands.slice(1).slice(-1) }
    : undefined;
}

/** Words by what stands in front of them: names of parameters may be written in part, and with a colon before the value. */
function taken(rest: readonly ShellWord[]) {
  const operands: ShellWord[] = [];
  const targets: ShellWord[] = [];
  const sources: ShellWord[] = [];
  let into = operands;
  for (const { text, kind } of rest) {
    const [, parameter, value = ''] = /^-([a-z]+)(?::(.*))?$/is.exec(text) ?? [];
    if (parameter === undefined) {
      // One letter or more behind a slash is an option of cmd.
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
