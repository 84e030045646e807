const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)`;
const PLACE = String.raw`\s*(?:${ADDRESS}(?:\s*,\s*[+~]?${ADDRESS})?)?\s*!?\s*`;
const REPLACE = String.raw`[sy]([/|#,:@!%])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiImM\d]*`;
const SED_COMMAND = new RegExp(String.raw`^${PLACE}(?:[pdDPnNhHgGxl=]|[qQ]\d*|${REPLACE})?[ \t]*(?:[;\n]|$)`);
const MAX_SCRIPT = 1000;

/** True for a sed script that only prints, deletes and replaces. */
export function isPlainSed(script: string): boolean {
  let rest = script.slice(0, MAX_SCRIPT + 1);
  if (rest.length > MAX_SCRIPT) return false;
  while (rest !== '') {
    const command = SED_COMMAND.exec(rest)?.[0];
    if (!command) return false;
    rest = rest.slice(command.length);
  }
  return true;
}

/** True for an awk program that neither starts programs nor writes files: what it prints goes to its output. */
export function isPlainAwk(program: string): boolean {
  if (program.length > MAX_SCRIPT || /system|getline|close|fflush|@|\\\n/.test(program)) return false;
  const code = program.replace(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/(^|[(,!~&|{;\s])\/(?:[^/\\\n]|\\.)*\//g, '$1//');
  return !code.replaceAll('||', '').includes('|') && !/printf?\b[^;}\n]*>/.test(code);
}
