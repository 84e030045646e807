/** A command whose arguments are another command. */
export interface CommandWrapper {
  /** Options without a value. */
  flags: RegExp;
  /** Options that take the next word, or the rest of their own. */
  valued: readonly string[];
  /** Words before the command that are its own. */
  operands: number;
  /** Takes `NAME=value` before the command. */
  assigns?: boolean;
  /** Why a rule for the inner command is not enough, as a sentence. */
  caution?: string;
}

const NONE = /^$/;
const AS_ANOTHER = 'It runs a command as another user.';

/** By the name of the program. */
export const COMMAND_WRAPPERS: Readonly<Record<string, CommandWrapper>> = {
  sudo: {
    flags: /^(-[AbEHKknPSis]+|--(background|preserve-env|set-home|non-interactive|stdin|login|shell))$/,
    valued: [
      '-u',
      '-g',
      '-h',
      '-p',
      '-C',
      '-T',
      '-r',
      '-t',
      '-D',
      '-R',
      '-U',
      '--user',
      '--group',
      '--host',
      '--chdir',
    ],
    operands: 0,
    assigns: true,
    caution: AS_ANOTHER,
  },
  doas: { flags: /^-[nsL]+$/, valued: ['-u', '-C'], operands: 0, caution: AS_ANOTHER },
  env: { flags: /^(-|-[i0v]+|--(ignore-environment|null))$/, valued: ['-u', '--unset'], operands: 0, assigns: true },
  timeout: {
    flags: /^(-v|--(preserve-status|foreground|verbose))$/,
    valued: ['-k', '-s', '--kill-after', '--signal'],
    operands: 1,
  },
  gtimeout: { flags: /^--(preserve-status|foreground)$/, valued: ['-k', '-s'], operands: 1 },
  nohup: { flags: NONE, valued: [], operands: 0 },
  // Behind `time` it still turns the result around.
  '!': { flags: NONE, valued: [], operands: 0 },
  time: { flags: /^-[pv]+$/, valued: [], operands: 0, assigns: true },
  command: { flags: /^-p$/, valued: [], operands: 0 },
  '-': { flags: NONE, valued: [], operands: 0 },
  noglob: { flags: NONE, valued: [], operands: 0 },
  builtin: { flags: NONE, valued: [], operands: 0 },
  exec: { flags: /^-[cl]+$/, valued: ['-a'], operands: 0 },
  nice: { flags: /^-\d+$/, valued: ['-n', '--adjustment'], operands: 0 },
  ionice: { flags: /^-t$/, valued: ['-c', '-n', '--class', '--classdata'], operands: 0 },
  stdbuf: { flags: NONE, valued: ['-i', '-o', '-e', '--input', '--output', '--error'], operands: 0 },
  setsid: { flags: /^-[cfw]+$/, valued: [], operands: 0 },
  xargs: {
    flags: /^(-[0prtx]+|--(null|no-run-if-empty|verbose|exit))$/,
    valued: ['-I', '-n', '-P', '-L', '-d', '-E', '-s', '-a', '--max-args', '--max-procs', '--delimiter', '--arg-file'],
    operands: 0,
    caution: 'xargs gives the command words that are not known beforehand.',
  },
};
