const PLAIN_ENTRY = /^([A-Za-z_][\w.-]*[ \t]*:[ \t]+)(\S[^\n]*)$/;
/** How a value begins that is not plain: quoted, block, flow, alias, anchor, tag, comment. */
const NOT_PLAIN = /^["'|>[{&*!#%@`]/;
const HAS_COLON = /:(?=[ \t]|$)/;

/**
 * Puts plain values of top-level keys that hold a colon between quotes, line by line, so that
 * `description: Use this: it helps` reads as its author meant. Everything else stays as it is, and so do line numbers.
 */
export function quoteColonValues(head: string): string {
  const lines = head.split('\n');
  return lines.map((line, index) => (startsNested(lines[index + 1]) ? line : quoteLine(line))).join('\n');
}

/** A value that goes on in the next line is left to YAML. */
function startsNested(next: string | undefined): boolean {
  return next !== undefined && /^[ \t]+\S/.test(next);
}

function quoteLine(line: string): string {
  const [, key, rest] = PLAIN_ENTRY.exec(line) ?? [];
  if (key === undefined || rest === undefined || NOT_PLAIN.test(rest)) return line;
  const comment = /[ \t]#/.exec(rest);
  const value = rest.slice(0, comment?.index).trimEnd();
  if (!HAS_COLON.test(value)) return line;
  return `${key}'${value.replaceAll("'", "''")}'${rest.slice(value.length)}`;
}
