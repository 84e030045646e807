import { closesBrackets } from './closesBrackets';

const MATCH = String.raw`/((?:[^/\\\n]|\\.)*)/I?`;
const ADDRESS = String.raw`(?:\d+|\$|${MATCH})`;
const PLACE = String.raw`\s*(?:${ADDRESS}(?:\s*,\s*[+~]?${ADDRESS})?)?\s*!?\s*`;
const REPLACE = String.raw`[sy]([/|#,:@!%])((?:(?!\3)[^\\\n]|\\[^\n])*)\3(?:(?!\3)[^\\\n]|\\[^\n])*\3[gpiImM\d]*`;
const COMMAND = new RegExp(String.raw`^${PLACE}(?:[pdDPnNhHgGxl=]|[qQ]\d*|${REPLACE})?[ \t]*(?:[;\n]|$)`);
const MAX_SCRIPT = 1000;

/** True for a sed script that only prints, deletes and replaces. */
export function isPlainSed(script: string): boolean {
  let rest = script.slice(0, MAX_SCRIPT + 1);
  if (rest.length > MAX_SCRIPT) return false;
  while (rest !== '') {
    const [command, from = '', to = '', , replaced = ''] = COMMAND.exec(rest) ?? [];
    if (!command || ![from, to, replaced].every(closesBrackets)) return false;
    rest = rest.slice(command.length);
  }
  return true;
}
