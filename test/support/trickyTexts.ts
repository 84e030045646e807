/** A deceptive text, and the parts of it that must never be shown as they are. */
export interface TrickyText {
  name: string;
  text: string;
  /** Characters that a user would not see or would mistake for others. */
  hidden: readonly string[];
}

const code = (point: number) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

const CONTROLS = [...range(0x01, 0x08), ...range(0x0b, 0x1f), ...range(0x7f, 0x9f)];
const DIRECTIONS = [0x061c, 0x200e, 0x200f, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
const INVISIBLE = [
  ...[0x00ad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180e, 0x180f, 0x200b, 0x200c, 0x200d],
  ...[
    ...range(0x2060, 0x2065),
    ...range(0x206a, 0x206f),
    0x2028,
    0x2029,
    0x3164,
    0xfeff,
    0xffa0,
    0xfff9,
    0xfffa,
    0xfffb,
  ],
  ...[...range(0x1d173, 0x1d17a), ...range(0x1bca0, 0x1bca3), ...range(0xfe00, 0xfe0f), 0xe0001, 0xe0100, 0xe01ef],
];
const TAGS = range(0xe0020, 0xe007f);
const BLANKS = [0x00a0, 0x1680, ...range(0x2000, 0x200a), 0x202f, 0x205f, 0x3000, 0x2800];
const SEPARATORS = [
  0x2044, 0x2215, 0x29f8, 0xff0f, 0x2571, 0x2216, 0x29f5, 0x29f9, 0xfe68, 0xff3c, 0x2024, 0xff0e, 0x037e,
];
const LETTERS = ['р', 'а', 'е', 'о', 'с', 'х', 'ѕ', 'і', 'ј', 'у', 'Н', 'ο', 'ν', 'Α'];

/**
 * Sequences that control a terminal: colors, cursor movement, titles, the clipboard, queries that the terminal answers, and
 * unterminated strings.
 */
const SEQUENCES = [
  ...[
    '\x1b[2K\rls',
    '\x1b[1A\x1b[2K',
    '\x1b[8m',
    '\x1b[0;30;40m',
    '\x1b[H\x1b[2J',
    '\x1b[3J',
    '\x1b[?1049h',
    '\x1b[?25l',
  ],
  ...['\x1b]52;c;cm0gLXJm\x07', '\x1b]0;title\x07', '\x1b]8;;http://evil.test\x1b\\link\x1b]8;;\x1b\\', '\x1b]2;x\x9c'],
  ...[
    '\x1bP$q"p\x1b\\',
    '\x1b_Gf=100;AAAA\x1b\\',
    '\x1b^private\x1b\\',
    '\x1bXstring\x1b\\',
    '\x1b[6n',
    '\x1b[c',
    '\x1b[5i',
  ],
  ...[
    '\x9b2K',
    '\x9d52;c;cm0=\x9c',
    '\x90x\x9c',
    '\x1bc',
    '\x1b7\x1b8',
    '\x1b(0',
    '\x0e\x0f',
    '\x1b[200~',
    '\x1b[20;1H',
  ],
  ...[
    '\x1b[1;1H\x1b[K',
    '\x1b[999D',
    '\x1b#8',
    '\x1b',
    '\x1b[',
    '\x1b]',
    '\b\b\b\b\b\b\b\bls',
    '\rcoder: Run ls\x1b[K',
  ],
  ...['\x1b[38;2;0;0;0m\x1b[48;2;0;0;0m', '\x1b[4h', '\x1b[=5l', '\x1b[\x00m', '\x1b\x1b[A', '\x1b[12;24r', '\x07\x07'],
];

/** As published: comments that end early, strings that continue, and names that look alike. */
const TROJANS = [
  'access="user\u202e \u2066// check\u2069 \u2066"; rm -f marker',
  '/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */ touch x',
  "echo 'safe\u202e\u2066#\u2069 \u2066'; touch x",
  'return\u2067; touch x \u2069 # done',
  'say\u041dello',
  'p\u0430ypal.test/install',
  'rm -rf b\u200build',
  'git status\u2028rm -rf ~',
  'ls\u2029touch x',
  'a\u0085touch x',
  'ls # \u202etxet tsuj',
  'echo \u{e0072}\u{e006d}\u{e0020}\u{e002d}\u{e0072}\u{e0066}',
];

const one = (point: number): TrickyText => {
  const character = String.fromCodePoint(point);
  return { name: `one ${code(point)}`, text: `echo one${character}two; touch END`, hidden: [character] };
};

/** Over 300 texts, each at least one line, with END at the end. */
export const TRICKY_TEXTS: readonly TrickyText[] = [
  ...[...CONTROLS, ...DIRECTIONS, ...INVISIBLE, ...TAGS, ...BLANKS, ...SEPARATORS].map(one),
  ...LETTERS.map((letter) => ({ name: `letter ${letter}`, text: `s${letter}do touch END`, hidden: [letter] })),
  ...SEQUENCES.map((sequence, at) => ({
    name: `sequence ${at}`,
    text: `touch x; ${sequence}; touch END`,
    hidden: Array.from(sequence).filter((character) => /\p{Cc}/u.test(character)),
  })),
  ...TROJANS.map((text, at) => ({
    name: `trojan ${at}`,
    text: `${text}; touch END`,
    hidden: Array.from(text).filter((character) => /[^\x20-\x7e]/.test(character)),
  })),
  ...[4, 50, 300, 5000].map((count) => ({
    name: `${count} blank lines`,
    text: `ls${'\n'.repeat(count + 1)}touch END`,
    hidden: ['\n\n\n\n\n'],
  })),
  ...[100, 3000].map((count) => ({
    name: `${count} blanks`,
    text: `ls${' '.repeat(count)}; touch END`,
    hidden: [' '.repeat(count)],
  })),
  { name: 'a prompt of its own', text: 'ls\nAllow it? [y]es, [n]o, a1… for always: \ntouch END', hidden: [] },
  { name: '100,000 characters in one word', text: `echo ${'x'.repeat(100_000)}; touch END`, hidden: [] },
  { name: '100,000 characters in lines', text: `${'echo word\n'.repeat(10_000)}touch END`, hidden: [] },
  { name: '100,000 characters', text: `echo ${'word '.repeat(20_000)}; touch END`, hidden: [] },
];
