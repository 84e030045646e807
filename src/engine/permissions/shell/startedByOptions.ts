import type { ShellWord } from './shellPart';
import { runsFile } from './steeringVariables';
import { givenOptions, isOneOf } from './touched/changed';
import { programName } from './unwrapCommand';

/** Options whose value is a command that the program starts; `valued` are the letters that take a value. */
interface Starter {
  programs: RegExp;
  valued: string;
  options: readonly string[];
}

const STARTERS: readonly Starter[] = [
  { programs: /^rsync$/, valued: 'efTMB', options: ['-e', '--rsh'] },
  { programs: /^(scp|sftp)$/, valued: 'cFiJloPSDX', options: ['-S'] },
  {
    programs: /^(bsd|g)?tar$/,
    valued: 'fCIFTXgbHKLNV',
    options: [
      '-I',
      '-F',
      '--use-compress-program',
      '--to-command',
      '--rsh-command',
      '--info-script',
      '--new-volume-script',
    ],
  },
  { programs: /^g?sort$/, valued: 'kStTo', options: ['--compress-program'] },
  { programs: /^g?split$/, valued: 'abCln', options: ['--filter'] },
  { programs: /^man$/, valued: 'PCLmMSesrpER', options: ['-P', '--pager'] },
  { programs: /^(rg|bat|batcat|delta|fzf|sk|mysql|mariadb)$/, valued: '', options: ['--pre', '--pager', '--preview'] },
  {
    programs: /^(wget|gpg2?|gpg-agent)$/,
    valued: '',
    options: ['--use-askpass', '--pinentry-program', '--agent-program'],
  },
  { programs: /^(p?npm|npx)$/, valued: '', options: ['--script-shell', '--shell', '--git'] },
];
const OF_SSH = /^(?:proxy|local|knownhosts)command[\s=]+(.*)$/is;
const WHY = 'With this option, it starts a program that is not installed.';

/** Returns why a command always asks if one of its options makes it start a file, as a sentence; null if none does. */
export function startedByOption([program, ...rest]: readonly ShellWord[]): string | null {
  const name = programName(program);
  const isSsh = /^(ssh|scp|sftp)$/.test(name);
  const values = isSsh ? givenOptions(rest, 'BbcDEeFIiJLlmOopQRSWw') : [];
  const settings = values.some(({ option, value }) => /^-[FI]$/.test(option) && value && value.text !== '/dev/null');
  const commands = values.flatMap(({ option, value }) =>
    option === '-o' ? (OF_SSH.exec(value?.text ?? '')?.[1] ?? []) : [],
  );
  const own = STARTERS.filter(({ programs }) => programs.test(name)).flatMap(({ valued, options }) =>
    givenOptions(rest, valued).flatMap(({ option, value }) => (isOneOf(option, options) ? (value?.text ?? []) : [])),
  );
  return settings || [...commands, ...own].some((one) => runsFile(one)) ? WHY : null;
}
