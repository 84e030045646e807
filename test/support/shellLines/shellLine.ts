import type { RandomNumbers } from './randomNumbers';
import { BAD, BLANKS, GOOD, OPERATORS, REDIRECTIONS, SIGNS, WORDS } from './shellPieces';
import { WRITES } from './writingPieces';

/** How often a command is one that is not allowed: once in this many, or never if 0. */
interface Draw extends RandomNumbers {
  badIn: number;
}
type Build = (random: Draw, depth: number) => string;

/** Generates a line as a model might write it, as an attacker would, or as neither would. */
export function shellLine(numbers: RandomNumbers): string {
  const random = { ...numbers, badIn: numbers.pick([0, 0, 0, 3, 10]) };
  if (random.oneIn(8)) return soup(random);
  let line = list(random, random.below(4));
  if (random.oneIn(3)) for (let edits = 1 + random.below(3); edits > 0; edits--) line = editedLine(line, random);
  return line;
}

/** Pieces in random order. */
function soup(random: Draw): string {
  const pieces = Array.from({ length: 1 + random.below(10) }, () =>
    random.pick([
      random.pick(SIGNS),
      random.pick(GOOD),
      random.pick(WORDS),
      random.pick(BLANKS),
      random.pick(random.badIn > 0 ? BAD : GOOD),
    ]),
  );
  return pieces.join(random.oneIn(2) ? ' ' : '');
}

/** Inserts, removes, or duplicates a character somewhere in the line. */
export function editedLine(line: string, random: RandomNumbers): string {
  const at = random.below(line.length + 1);
  const end = Math.min(line.length, at + random.below(3));
  switch (random.below(4)) {
    case 0:
      return line.slice(0, at) + line.slice(end + 1);
    case 1:
      return line.slice(0, end) + line.slice(at);
    case 2:
      return line.slice(0, at) + random.pick(BLANKS) + line.slice(at);
    default:
      return line.slice(0, at) + random.pick(SIGNS) + line.slice(at);
  }
}

const list: Build = (random, depth) => {
  const parts = Array.from({ length: 1 + random.below(3) }, () => command(random, depth));
  return parts.reduce((line, part) => line + (line.endsWith('\n') ? '' : random.pick(OPERATORS)) + part);
};

const command: Build = (random, depth) => {
  if (depth <= 0 || random.oneIn(3)) return simple(random, depth);
  return random.pick(COMPOUNDS)(random, depth - 1);
};

const simple: Build = (random, depth) => {
  const isBad = random.badIn > 0 && random.oneIn(random.badIn);
  const base = random.pick(isBad ? random.pick([BAD, BAD, WRITES]) : GOOD);
  let line = random.oneIn(6) ? base.replaceAll(' ', () => random.pick(BLANKS)) : base;
  if (random.oneIn(10))
    line = `${random.pick(['X=1 ', 'a=b ', 'CI=1 ', 'A=$(ls) ', '> a ', '2>&1 ', '! ', 'time '])}${line}`;
  while (random.oneIn(3)) line += random.pick(BLANKS) + word(random, depth);
  if (random.oneIn(5)) line += ` ${random.pick(REDIRECTIONS)}`;
  if (random.oneIn(12))
    line += random.pick([' # ', '#', ' #', '\\\n#']) + random.pick(['git push', 'a\ngit push', "it's", '`', '$(']);
  return line;
};

const word: Build = (random, depth) => {
  if (depth <= 0 || !random.oneIn(3)) return random.pick(WORDS);
  const inner = () => list(random, depth - 1);
  return random.pick<() => string>([
    () => `$(${inner()})`,
    () => `"$(${inner()})"`,
    () => `\`${inner().replaceAll(/[`\\]/g, '\\$&')}\``,
    () => `<(${inner()})`,
    () => `>(${inner()})`,
    () => `=(${inner()})`,
    () => `\${X:-$(${inner()})}`,
    () => `\${X-<(${inner()})}`,
    () => `"\${X:-\`${inner()}\`}"`,
    () => `\${X:-'$(${inner()})'}`,
    () => `"\${X:-'$(${inner()})'}"`,
    () => `$((1 + $(${inner()})))`,
    () => `$(( $(${inner()}) ) )`,
    () => `'$(${inner().replaceAll("'", '')})'`,
    () => `a$(${inner()}\n)b`,
    () => `$(cat <<E\n${inner()}\nE\n)`,
    () => `"$(cat <<'E'\n${inner()}\nE\n)"`,
    () => `$(cat <<E)\n${inner()}\nE\n`,
    () => `$'${inner().replaceAll("'", "\\'")}'`,
    () => `$(case a in a) ${inner()};; esac)`,
    () => `$(# )\n${inner()})`,
  ])();
};

/** Where a here-document ends varies between shells and is often surprising. */
const hereDocument: Build = (random, depth) => {
  const end = random.pick(['E', 'EOF', "E'", 'E F', '\\E', '$E', 'é']);
  const quoted = random.pick([
    end,
    `'${end.replaceAll("'", '')}'`,
    `"${end}"`,
    `\\${end}`,
    `${end}""`,
    `$'${end}'`,
    `E\\\nOF`,
  ]);
  const closing = random.pick([
    end,
    end,
    end,
    'E',
    'EOF',
    `\t${end}`,
    'E\\\nOF',
    'EO\\\nF',
    `${end} `,
    `${end}\r`,
    `\\\n${end}`,
    `x\\\n${end}`,
  ]);
  const body = random.pick([
    list(random, depth),
    `${random.pick(BAD)}\n`,
    `a\n${random.pick(BAD)}`,
    '',
    'a',
    `$(${list(random, depth)})`,
    `$(${random.pick(BAD)})`,
    `\`${simple(random, 0)}\``,
    '\\$(evil)',
    "it's",
    'a\\',
    '${X:-',
    '$(',
  ]);
  const operator = random.pick(['<<', '<<-', '<< ', '<<\\\n']);
  const before = random.pick(['cat ', 'cat', 'bash ', 'cat a ', 'cat 0', 'cat <<A ', '']);
  const after = random.pick([
    '',
    '',
    '',
    ' && ls',
    ' | cat',
    '; ls',
    ' $(ls',
    ' "a',
    ' <(',
    ' \\',
    ' )',
    ' & ls',
    ' > a',
  ]);
  const rest = random.oneIn(2) ? `\n${list(random, depth)}` : '';
  return `${before}${operator}${quoted}${after}\n${body}\n${closing}${rest}`;
};

const COMPOUNDS: readonly [Build, ...Build[]] = [
  (random, depth) => `(${list(random, depth)})`,
  (random, depth) => `( ${list(random, depth)}\n)`,
  (random, depth) => `{ ${list(random, depth)}; }`,
  (random, depth) => `{ ${list(random, depth)}\n} > a`,
  (random, depth) => `if ${list(random, depth)}; then ${list(random, depth)}; else ${list(random, depth)}; fi`,
  (random, depth) => `for x in a b; do ${list(random, depth)}; done`,
  (random, depth) => `for x in $(${list(random, depth)}); do ${list(random, depth)}; done`,
  (random, depth) => `for ((i=0; i<1; i++)); do ${list(random, depth)}; done`,
  (random, depth) => `while ${list(random, depth)}; do ${list(random, depth)}; break; done`,
  (random, depth) => `case ${word(random, depth)} in a) ${list(random, depth)};; *) ${list(random, depth)};; esac`,
  (random, depth) => `case a in (a) ${list(random, depth)} ;; esac`,
  (random, depth) => `f() { ${list(random, depth)}; }; f ${word(random, depth)}`,
  (random, depth) => `f() (${list(random, depth)}); f`,
  (random, depth) => `function f { ${list(random, depth)}; }; f`,
  (random, depth) => `[[ a == ${word(random, depth)} && -n $(${list(random, depth)}) ]] && ls`,
  (random, depth) => `(( 1 + ${word(random, depth)} )) || ${list(random, depth)}`,
  (random, depth) => `((${list(random, depth)}))`,
  (random, depth) => `( (${list(random, depth)}) )`,
  (random, depth) => `a=(${list(random, depth)}) ; ls`,
  (random, depth) => `X=${word(random, depth)}; ${list(random, depth)}`,
  (random, depth) => `eval "${list(random, depth)}"`,
  (random, depth) => `eval '${list(random, depth).replaceAll("'", '')}'`,
  (random, depth) => `bash -c '${list(random, depth).replaceAll("'", '')}'`,
  (random, depth) => `echo "${list(random, depth)}"`,
  (random, depth) => `echo '${list({ ...random, badIn: 2 }, depth).replaceAll("'", '')}'`,
  (random, depth) => `echo "${list({ ...random, badIn: 2 }, depth).replaceAll(/["$`]/g, '\\$&')}"`,
  (random, depth) => `ls ${word(random, depth)} ${word(random, depth)}`,
  (random, depth) => `cat ${word(random, depth)}`,
  (random, depth) => `cat <<< ${word(random, depth)}`,
  (random, depth) => `coproc { ${list(random, depth)}; }`,
  (random, depth) => `coproc N { ${list(random, depth)}; }`,
  (random, depth) => `{ ${list(random, depth)} } always { ${list(random, depth)} }`,
  (random, depth) => `if { ${list(random, depth)} } { ${list(random, depth)} } else { ${list(random, depth)} }`,
  (random, depth) => `{ ${list(random, depth)} }`,
  (random, depth) => `[[ a && ${list(random, depth)} ]]`,
  (random, depth) => `[[ a || ${list(random, depth)} ]]`,
  (random, depth) => `(( a || ${list(random, depth)} ))`,
  (random, depth) => `for x do ${list(random, depth)}; done`,
  (random, depth) => `for x in a; { ${list(random, depth)}; }`,
  (random, depth) => `time if ${list(random, depth)}; then ${list(random, depth)}; fi`,
  (random, depth) => `time { ${list(random, depth)}; }`,
  (random, depth) => `repeat 1 ${list(random, depth)}`,
  (random, depth) => `trap -- '${list(random, depth).replaceAll("'", '')}' EXIT`,
  (random, depth) => `time ${list(random, depth)}`,
  (random, depth) => `! ${list(random, depth)}`,
  hereDocument,
  hereDocument,
  hereDocument,
  (random, depth) => `echo $(${hereDocument(random, depth)}\n)`,
  (random, depth) => `{ ${hereDocument(random, depth)}\n}`,
];
