import { closesBrackets } from './closesBrackets';

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
