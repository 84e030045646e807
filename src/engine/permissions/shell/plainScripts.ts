const MAX_PROGRAM = 1000;
/** What starts programs, writes, reads what the line does not name, or takes more program text. */
const REACHES_OUT = /system|getline|close|fflush|ARGV|ARGC|@|\\\r?\n/;
/** One token of a program, with the expression between slashes where one may begin. */
const TOKEN = /\s+|#[^\n]*|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d[\w.]*|\+\+|--|\|\||[<>=!]=|[^"#\\]/y;
const EXPRESSION = /\/(?!=)((?:[^/\\\n]|\\.)*)\//y;
/** Words behind which no value can end. */
const BEFORE_VALUE = /^(print|printf|return|in|case|else|do|exit|delete)$/;
const OPERATOR = /^([{;,(!~?:=+*%^<>&-]|\|\||[<>=!]=)$/;

/**
 * True for an awk program that neither starts programs nor writes files: what it prints goes to its output. Where a slash may divide
 * or begin an expression, by what awks differ in, it counts as not plain.
 */
export function isPlainAwk(program: string): boolean {
  if (program.length > MAX_PROGRAM || REACHES_OUT.test(program)) return false;
  const code = codeOf(program);
  return code !== undefined && !code.replaceAll('||', '').includes('|') && !/\bprintf?\b[^;}]*>/.test(code);
}

/** The program without the contents of its strings, expressions and comments; undefined when it is not certain what they are. */
function codeOf(program: string): string | undefined {
  let code = '';
  let last = ';';
  for (let at = 0; at < program.length;) {
    const token = tokenAt(program, at, last);
    if (token === undefined) return undefined;
    at += token.length;
    const isBlank = /^(\s|#)/.test(token);
    // A line may also go on behind what is no end of a statement.
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

/** True when a slash behind it divides; behind a bracket or a name of a function it may do either. */
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

/** A backslash in square brackets counts for itself in some programs, and for what follows in others. */
const BRACKETS = /\\.|\[(?:\^?\]|\^(?!\])|(?![\^\]]))(?:\[([:.=])[\w-]*\1\]|\\[^[\]]|[^[\]\\])*\]/gs;

/**
 * True when all square brackets of a regular expression are closed in it, whichever program reads it. Where they are not, its end
 * is another for programs that look for it behind the brackets.
 */
function closesBrackets(expression: string): boolean {
  return !expression.replace(BRACKETS, '').includes('[');
}
