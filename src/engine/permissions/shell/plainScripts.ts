const MAX_PROGRAM = 1000;
/** Code that starts programs, writes, reads what the line does not name, or loads more program text. */
const REACHES_OUT = /system|getline|close|fflush|ARGV|ARGC|@|\\\r?\n/;
/** One token of a program. An expression between slashes is matched separately, where one may begin. */
const TOKEN = /\s+|#[^\n]*|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d[\w.]*|\+\+|--|\|\||[<>=!]=|[^"#\\]/y;
const EXPRESSION = /\/(?!=)((?:[^/\\\n]|\\.)*)\//y;
/** Words that cannot end a value. */
const BEFORE_VALUE = /^(print|printf|return|in|case|else|do|exit|delete)$/;
const OPERATOR = /^([{;,(!~?:=+*%^<>&-]|\|\||[<>=!]=)$/;

/**
 * Returns true for an awk program that neither starts programs nor writes files: it only prints to its output. If a slash may be
 * a division or begin an expression, depending on the awk, the program does not count as plain.
 */
export function isPlainAwk(program: string): boolean {
  if (program.length > MAX_PROGRAM || REACHES_OUT.test(program)) return false;
  const code = codeOf(program);
  return code !== undefined && !code.replaceAll('||', '').includes('|') && !/\bprintf?\b[^;}]*>/.test(code);
}

/** Returns the program without the contents of its strings, expressions and comments; undefined if these are ambiguous. */
function codeOf(program: string): string | undefined {
  let code = '';
  let last = ';';
  for (let at = 0; at < program.length;) {
    const token = tokenAt(program, at, last);
    if (token === undefined) return undefined;
    at += token.length;
    const isBlank = /^(\s|#)/.test(token);
    // A statement may continue on the next line.
    if (isBlank && !token.includes('\n')) code += ' ';
    else if (isBlank) [code, last] = [`${code}\n`, '\n'];
    else [code, last] = [code + (/^(".*"|\/.+\/)$/s.test(token) ? '""' : token), token];
  }
  return code;
}

function tokenAt(program: string, at: number, last: string): string | undefined {
  if (program.charAt(at) !== '/') return matchAt(TOKEN, program, at)?.[0];
  if (isValue(last)) return '/';
  if (!OPERATOR.test(last) && !BEFORE_VALUE.test(last) && !/^[\n}]$/.test(last)) return undefined;
  const [expression, within = ''] = matchAt(EXPRESSION, program, at) ?? [];
  return closesBrackets(within) ? expression : undefined;
}

/** Returns true if a slash after it is a division; after a bracket or a function name it may be either. */
function isValue(token: string): boolean {
  if (/^(length|if|while|for|next|nextfile|BEGIN|END|func|function)$/.test(token)) return false;
  return /^(\w|"|\])/.test(token) && !BEFORE_VALUE.test(token);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const MATCH = String.raw`/((?:[^/\\\n]|\\.)*)/I?`;
const ADDRESS = String.raw`(?:\d+|\$|${MATCH})`;
const PLACE = String.raw`\s*(?:${ADDRESS}(?:\s*,\s*[+~]?${ADDRESS})?)?\s*!?\s*`;
const REPLACE = String.raw`[sy]([/|#,:@!%])((?:(?!\3)[^\\\n]|\\[^\n])*)\3(?:(?!\3)[^\\\n]|\\[^\n])*\3[gpiImM\d]*`;
const COMMAND = new RegExp(String.raw`^${PLACE}(?:[pdDPnNhHgGxl=]|[qQ]\d*|${REPLACE})?[ \t]*(?:[;\n]|$)`);
const MAX_SCRIPT = 1000;

/** Returns true for a sed script that only prints, deletes and replaces. */
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

/** In square brackets, a backslash is literal in some programs and escapes what follows in others. */
const BRACKETS = /\\.|\[(?:\^?\]|\^(?!\])|(?![\^\]]))(?:\[([:.=])[\w-]*\1\]|\\[^[\]]|[^[\]\\])*\]/gs;

/**
 * Returns true if all square brackets of a regular expression are closed, whichever program reads it. If not, programs that look
 * for the end of the expression after the brackets find a different one.
 */
function closesBrackets(expression: string): boolean {
  return !expression.replace(BRACKETS, '').includes('[');
}
