import { withoutEnd } from '../../../../base/truncate';
import { INTERPRETER, type InnerScripts, runsPiped, SHELL } from '../innerScripts';
import { knownUse } from '../knownUse';
import { MAX_LINE, type ShellPart, type ShellWord } from '../shellPart';
import { operandsOf } from '../touched/changed';
import { programName, type UnwrappedCommand } from '../unwrapCommand';
import { PRINTS, saidLines } from './startedScripts';

/** A command of a line, without its wrappers and with what it runs. */
export interface OpenPart {
  part: ShellPart;
  unwrapped: UnwrappedCommand;
  /** What each of its layers runs. */
  scripts: InnerScripts[];
  started: InnerScripts[];
  meant: InnerScripts[];
}

/** Text that reaches a shell, an interpreter, or a file. */
export interface GivenText {
  /** Everything it may be, as far as the line contains it. */
  texts: readonly string[];
  /** The reason why it cannot be known what arrives, as a sentence; null if there is none. */
  veiled: string | null;
  /** The same if what is decoded is not text of the line. */
  decoded: string | null;
  /** Whether nothing is in it that the line does not contain. */
  isWhole: boolean;
}

/** What a line writes to files, by the last part of their paths in lowercase. */
export type WrittenFiles = Map<string, readonly GivenText[]>;

export const NOTHING: GivenText = { texts: [], veiled: null, decoded: null, isWhole: false };
const MOST_WRITES = 30;
const MOST_FILES = 60;
const MOST_SUBSTITUTIONS = 200;
const TOO_MUCH: GivenText = { ...NOTHING, veiled: 'It runs text that is put together from too many pieces.' };

/** Programs that decode, cut, or reorder what they read. */
const DECODES =
  /^(base(32|64|nc)|rev|xxd|od|hexdump|g(un)?zip|z(st)?cat|gzcat|bunzip2|bz(ip2|cat)|(un)?xz|(un)?lzma|xzcat|(un)?zstd|lz4|lz4cat|brotli|openssl|gpg2?|age|uu(de|en)code|fold|fmt|g?tac|nl|column|colrm|(un)?expand|iconv|recode|uconv|g?dd|strings|join|comm|pr|shuf|qprint|ascii2uni|native2ascii|ccrypt|mcrypt|rot13|caesar|col|ul|(un)?vis|split|csplit)$/;
/** Programs that make text from what their arguments say. */
const DESCRIBES =
  /^(g?tr|g?sed|[gmn]?awk|g?cut|paste|jq|gojq|yq|m4|envsubst|yes|jot|seq|bc|dc|look|xmlstarlet|mlr|sqlite3|cpp|figlet)$/;
/** Programs that choose among the lines of what they read, or order them. */
const CHOOSES = /^(head|tail|sort|uniq|grep)$/;
/** Options with which those change the lines themselves. */
const CUTS = /^-[a-zA-Z]*[co]|^--(bytes|only|count|zero)/;
/** A group or a loop whose output is piped on. */
const GROUP_PIPED = /(?:[)}]|\b(?:done|fi|esac))\s*(?:(?:(?<![\w./-])\d)?[<>]&?\s*(?:[\w./-]+\s*)?)*\|/;

/** Finds what the commands of a line receive from each other. */
export class GivenTexts {
  /** Whether the output of several commands may be piped on together. */
  private readonly isGrouped: boolean;
  /** Groups, the shell itself, and what may be functions, if they are given an input that commands in them read. */
  private readonly around: readonly number[];
  private aroundAll: GivenText | undefined;
  private readonly known = new Map<number, GivenText>();
  private printed: GivenText | undefined;

  constructor(
    private readonly opened: readonly OpenPart[],
    line: string,
    private readonly written: WrittenFiles,
  ) {
    this.around = opened.flatMap((one, at) => (isFedAround(one) ? [at] : []));
    this.isGrouped = opened.some(({ part }) => part.repeats) || GROUP_PIPED.test(line);
  }

  /** Whether commands in a group, a function, or the rest of the line read what these are given. */
  get isAround(): boolean {
    return this.around.length > 0;
  }

  /** Adds what the line writes to files. */
  noteWritten(): void {
    for (const [at, { part, unwrapped }] of this.opened.entries()) {
      const command = unwrapped.layers.at(-1) ?? [];
      const name = programName(command[0]);
      const targets = part.redirections.flatMap(({ kind, target }) => (kind === 'write' ? [target] : []));
      if (/^(tee|sponge)$/.test(name)) targets.push(...operandsOf(command.slice(1), 'posix'));
      if (targets.length > 0) this.note(targets, this.writtenBy(at));
      if (TAKES_INPUT.test(name)) this.noteTaken(at, name, command);
      if (/^(curl|wget|aria2c)$/.test(name)) this.note(command.slice(1), NOTHING);
      if (COPIES.test(name)) this.noteProgram(command.slice(1));
      if (this.written.size > 0) this.noteChanged(name, command);
    }
    this.known.clear();
    this.aroundAll = undefined;
    this.printed = undefined;
  }

  /** Returns what a redirection writes: that of a group, or of the shell itself, takes what several commands print. */
  private writtenBy(at: number): GivenText {
    const [program] = this.opened[at]?.part.words ?? [];
    return !program || program.text === 'exec' ? joined([this.saidBy(at), this.allPrinted()]) : this.saidBy(at);
  }

  /** Notes what a program writes to the files that it names of what it reads, or of what a substitution prints. */
  private noteTaken(at: number, name: string, command: readonly ShellWord[]): void {
    const given = joined([this.inputOf(at), ...this.substituted(at, command)]);
    if (given.texts.length === 0) return;
    const isSame = /^g?(cp|dd|install)$/.test(name);
    const names = command.slice(1).flatMap(({ text }) => text.split(/[=\s]/));
    const targets = SPREADS.test(name) ? [ANY_FILE] : names;
    this.note(
      targets.map((text): ShellWord => ({ text, kind: 'exact' })),
      isSame ? given : { ...given, veiled: given.veiled ?? changedBy(name) },
    );
  }

  private note(targets: readonly ShellWord[], given: GivenText): void {
    for (const { text } of targets) {
      const name = fileName(text);
      const before = this.written.get(name) ?? [];
      if (name !== '' && !text.startsWith('/dev/'))
        this.written.set(name, before.length < MOST_WRITES ? [...before, { ...given, decoded: null }] : [TOO_MUCH]);
    }
  }

  /** Notes that a copy of an installed program is that program under another name. */
  private noteProgram(words: readonly ShellWord[]): void {
    const last = words.at(-1);
    for (const { text } of words.slice(0, -1))
      if (last && INSTALLED.test(text)) this.note([last], { ...NOTHING, texts: [`${text} "$@"`], isWhole: true });
  }

  /** Notes what copies and links of written files contain, and which of these files a program rewrites. */
  private noteChanged(name: string, command: readonly ShellWord[]): void {
    const isCopied = COPIES.test(name);
    const last = command.at(-1);
    if (!last || !(isCopied || EDITS.test(name) || SPREADS.test(name))) return;
    const named = namedIn(command.slice(1), this.written);
    if (named.length === 0) return;
    if (SPREADS.test(name)) for (const given of named) this.note([{ text: ANY_FILE, kind: 'exact' }], given);
    else if (isCopied) for (const given of named) this.note([last], given);
    else this.note(command.slice(1), { ...NOTHING, veiled: changedBy(name) });
  }

  /** Returns what a command receives on its input. */
  private inputOf(at: number): GivenText {
    const { part } = this.opened[at] ?? {};
    if (!part) return NOTHING;
    const read = part.redirections.flatMap(({ kind, target }) => (kind === 'read' ? [target] : []));
    const texts = part.inputs.map(({ text }) => text);
    return joined([
      ...(texts.length > 0 ? [{ ...NOTHING, texts, isWhole: part.inputs.every(isExact) }] : []),
      ...(read.length > 0 ? namedIn(read, this.written) : []),
      ...(part.isPiped ? [this.saidBefore(at)] : []),
    ]);
  }

  /** Returns what commands may read of what a group around them is given. */
  private aroundInput(): GivenText {
    this.aroundAll ??= joined(this.around.map((at) => this.inputOf(at)));
    return this.aroundAll;
  }

  private saidBefore(at: number): GivenText {
    return this.isGrouped ? this.allPrinted() : at > 0 ? this.saidBy(at - 1) : NOTHING;
  }

  private allPrinted(): GivenText {
    this.printed ??= joined(this.opened.map(({ part, unwrapped }) => alone(part, unwrapped, this.written)));
    return this.printed;
  }

  /** Returns what a command prints. */
  private saidBy(at: number): GivenText {
    const known = this.known.get(at);
    if (known) return known;
    const { part, unwrapped } = this.opened[at] ?? {};
    const words = unwrapped?.layers.at(-1) ?? [];
    const result = part ? said({ ...part, words }, this.inputOf(at), this.written) : NOTHING;
    this.known.set(at, result);
    return result;
  }

  /** Returns what a command receives as program text through a pipe, from a file on its input, or by a substitution. */
  heardBy(at: number): GivenText {
    const { part, unwrapped, scripts = [], started = [] } = this.opened[at] ?? {};
    const command = unwrapped?.layers.at(-1) ?? [];
    const name = programName(command[0]);
    const shells = [command, ...started.flatMap(({ commands }) => commands)];
    const startsShell = shells.some((words) => isShell(words[0]));
    const hears = scripts.some(runsPiped) || started.some(({ commands }) => commands.length > 0);
    const isInput = /^(source|\.)$/.test(name) && command.some(({ text }) => /^\/(dev|proc)\//.test(text));
    const readsCommands = READS_COMMANDS.test(name);
    const reads =
      readsCommands ||
      READS_LINES.test(name) ||
      runsElsewhere(command) ||
      isInput ||
      (hears && (startsShell || INTERPRETER.test(name)));
    const isGiven =
      this.isAround ||
      part?.isPiped ||
      part?.redirections.some(({ kind }) => kind === 'read') ||
      (runsElsewhere(command) && part?.inputs.length !== 0);
    const heard = joined([
      ...(reads && isGiven ? [this.inputOf(at), this.aroundInput()] : []),
      ...(startsShell ? this.substituted(at, command) : []),
    ]);
    if (heard === NOTHING) return NOTHING;
    // What these receive is usually data, unless the line hides its own text.
    if (readsCommands) return { ...heard, veiled: heard.texts.length > 0 ? heard.decoded : null, decoded: null };
    // What a program decodes for another machine is usually data.
    if (runsElsewhere(command) && !connectsHere(command)) return { ...heard, veiled: null, decoded: null };
    return heard.decoded === null ? heard : { ...heard, veiled: heard.veiled ?? heard.decoded };
  }

  /** Returns what substitutions print in the words and inputs of a command. */
  private substituted(at: number, command: readonly ShellWord[]): readonly GivenText[] {
    const inputs = this.opened[at]?.part.inputs ?? [];
    const given = [...command, ...inputs].filter(({ text, kind }) => kind !== 'exact' && SUBSTITUTION.test(text));
    if (given.length === 0) return [];
    const first = Math.max(0, at - MOST_SUBSTITUTIONS);
    const within = this.opened.slice(first, at).flatMap(({ part: { text } }, index) => {
      const isWithin = text !== '' && given.some((word) => word.text.includes(text));
      return isWithin ? [this.saidBy(first + index)] : [];
    });
    return first > 0 ? [...within, TOO_MUCH] : within;
  }
}

/** An option with program text. */
const PROGRAM_TEXT = /^-[a-zA-Z]*[ecprnEB]|^--(eval|print)/;
const SUBSTITUTION = /\$\(|`|<\(/;
/** Stands for every name in `WrittenFiles`. */
const ANY_FILE = '*';
/** Programs that give files names that the line need not contain. */
const SPREADS = /^(rename|prename|file-rename|mmv|zmv|zcp|zln|split|csplit)$/;
/** Programs that write what they read to files that their words name. */
const TAKES_INPUT = /^(g?(cp|dd|install|sed|sort|split|csplit)|openssl|gpg2?|xxd|iconv|uudecode|ed|ex)$/;
const COPIES = /^(g?cp|g?mv|g?ln|g?install|rsync|link)$/;
/** A program where systems install them, or wherever it is found. */
const INSTALLED = /^(\/(usr\/(local\/)?)?s?bin\/[^\s]+|(\$\(|`)(which|command -v|type -P) [\w.+-]+[)`])$/;
const EDITS = /^(g?sed|perl|ruby|ed|ex|n?vim?|g?patch|g?dd)$/;
/** Programs that run the lines they read, or start a shell that does. */
const READS_LINES =
  /^(at|batch|su|sudo|doas|newgrp|sg|chroot|unshare|nsenter|script|parallel|sem|fish|xonsh|elvish|nu|osh|ysh|es|pwsh|powershell|cmd|\$\{?(shell|bash|0)\}?)$/;

/** Programs that execute commands of their own in what they read, and can start others by them. */
export const READS_COMMANDS =
  /^(ed|ex|red|n?vim?|dc|bc|m4|mailx?|s-nail|(neo)?mutt|telnet|smbclient|nslookup|w3m|lynx|sqlite3|duckdb|psql|mysql|mariadb|gnuplot|octave|lldb|gdb|tclsh|ocaml|swipl|[ls]?ftp)$/;

/** Programs that pass their input to a shell in a container or on another machine. */
const PASSES_ON = /^(ssh|autossh|mosh|docker|podman|nerdctl|kubectl|oc|lxc|incus|machinectl)$/;
const TO_CONTAINER = /^(exec|run|debug|shell)$/;
const THIS_MACHINE = /^(ssh:\/\/)?([^@\s]*@)?(localhost|127(\.\d+){1,3}|\[?::1\]?|0(\.0\.0\.0)?)(:\d+)?\/?$/i;

/** Whether a command may pass its input to a shell in a container or on a machine, this one included. */
export function runsElsewhere(command: readonly ShellWord[]): boolean {
  const name = programName(command[0]);
  return PASSES_ON.test(name) && (/ssh$|^mosh$/.test(name) || command.some(({ text }) => TO_CONTAINER.test(text)));
}

/** Whether a command connects to the machine that it runs on. */
export function connectsHere(command: readonly ShellWord[]): boolean {
  return /ssh$|^mosh$/.test(programName(command[0])) && command.slice(1).some(({ text }) => THIS_MACHINE.test(text));
}

function changedBy(name: string): string {
  return `What “${name}” turns into program text cannot be checked.`;
}

/** Whether the line gives a command something to read. */
export function isFedBy({ inputs, redirections, isPiped }: ShellPart): boolean {
  const reads = redirections.some(({ kind, target }) => kind === 'read' && target.text !== '/dev/null');
  return isPiped === true || inputs.length > 0 || reads;
}

/** Whether commands of the line other than this one may read what it is given. */
function isFedAround({ part, unwrapped }: OpenPart): boolean {
  const [program] = part.words;
  if (!isFedBy(part) || (program && part.isPiped)) return false;
  if (!program || program.text === 'exec') return true;
  const command = unwrapped.layers.at(-1) ?? [];
  const name = programName(command[0]);
  return !knownUse(command).inert && !SHELL.test(name) && !INTERPRETER.test(name) && !name.includes('/');
}

export function isExact({ kind }: ShellWord): boolean {
  return kind === 'exact';
}

function fileName(path: string): string {
  return withoutEnd(path, '/')
    .replace(/^.*[\\/]/s, '')
    .toLowerCase();
}

/** Returns what is written to the files that some words name; a word that only the shell knows may name any of them. */
export function namedIn(words: readonly ShellWord[], written: WrittenFiles): readonly GivenText[] {
  const exact = words.flatMap((word) => (isExact(word) ? contentOf(word.text, written) : []));
  if (words.every(isExact)) return exact;
  return written.size > MOST_FILES
    ? [TOO_MUCH]
    : [...exact, ...[...written.keys()].flatMap((one) => contentOf(one, written))];
}

/** Returns what is in a file after any of the writes to it, each of which may add to it or replace it. */
export function contentOf(path: string, written: WrittenFiles): readonly GivenText[] {
  const writes = [...(written.get(fileName(path)) ?? []), ...(written.get(ANY_FILE) ?? [])];
  if (writes.length < 2) return writes;
  return [joined(writes.map((_, at) => joined(writes.slice(at))))];
}

/** Returns texts that may follow each other. */
export function joined(all: readonly GivenText[]): GivenText {
  const given = all.filter((one) => one !== NOTHING);
  const [only] = given;
  if (!only || given.length === 1) return only ?? NOTHING;
  const pieces = given.filter(({ texts }) => texts.length > 0);
  const whole = [0, -1].map((way) => pieces.map(({ texts }) => texts.at(way) ?? '').join(''));
  const texts = [...new Set([...pieces.flatMap((one) => one.texts), ...(pieces.length > 1 ? whole : [])])];
  if (texts.reduce((sum, { length }) => sum + length, 0) > 2 * MAX_LINE) return TOO_MUCH;
  const veiled = given.find((one) => one.veiled !== null)?.veiled ?? null;
  const decoded = given.find((one) => one.decoded !== null)?.decoded ?? null;
  return { texts, veiled, decoded, isWhole: given.every((one) => one.isWhole) };
}

/** Returns what a command prints whatever it reads. */
function alone(part: ShellPart, unwrapped: UnwrappedCommand, written: WrittenFiles): GivenText {
  const words = unwrapped.layers.at(-1) ?? [];
  const texts = part.inputs.map(({ text }) => text);
  return said({ ...part, words }, texts.length > 0 ? { ...NOTHING, texts } : NOTHING, written);
}

function said(part: ShellPart, input: GivenText, written: WrittenFiles): GivenText {
  const name = programName(part.words[0]);
  if (PRINTS.test(name)) {
    const end = name === 'printf' || part.words.some(({ text }) => /^-[neErR]*n/.test(text)) ? '' : '\n';
    return { ...NOTHING, texts: saidLines(part).map((text) => text + end), isWhole: part.words.every(isExact) };
  }
  const all = written.size > 0 ? joined([input, ...namedIn(part.words.slice(1), written)]) : input;
  if (/^(cat|tee|)$/.test(name)) return all;
  if (CHOOSES.test(name)) {
    const isCut = part.words.slice(1).some(({ text }) => CUTS.test(text)) || all.texts.some((text) => /\n./.test(text));
    return isCut ? { ...all, veiled: all.veiled ?? changedBy(name) } : all;
  }
  const isDescribed =
    DESCRIBES.test(name) || (INTERPRETER.test(name) && part.words.some(({ text }) => PROGRAM_TEXT.test(text)));
  const veiled = all.veiled ?? (isDescribed || all.texts.length > 0 ? changedBy(name) : null);
  return { ...all, isWhole: false, veiled, decoded: all.decoded ?? (DECODES.test(name) ? changedBy(name) : null) };
}

/** Whether the text that a command receives runs on this machine, as far as it is a shell line. */
export function runsHere(command: readonly ShellWord[]): boolean {
  return !runsElsewhere(command) || connectsHere(command);
}

/** Whether a program is a shell, or starts one, so that it runs lines. */
export function isShell(program: ShellWord | undefined): boolean {
  const name = programName(program);
  return /^(source|\.|eval)$/.test(name) || READS_LINES.test(name) || SHELL.test(name);
}
