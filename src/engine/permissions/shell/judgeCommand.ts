import { commandCaution } from './commandCaution';
import { gitSettings } from './gitSettings';
import { isHandedOn } from './handedSecrets';
import { hiddenCommand, textsThatRun } from './hiddenCommand';
import { type InnerScripts, innerScripts, NO_SCRIPTS, runsPiped } from './innerScripts';
import { knownUse } from './knownUse';
import { printedSecret } from './printedSecrets';
import { protectedIn } from './protectedWords';
import { loadedLibrary } from './loadedLibraries';
import { LineLimits, type ShellPart, type ShellWord } from './shellPart';
import { CHANGES_FOLDER, type ShellKind, shellParts } from './shellParts';
import { type CertainValues, certainValues, NONE_CERTAIN } from './started/certainValues';
import { GivenTexts, isFedBy, type OpenPart, type WrittenFiles } from './started/givenTexts';
import {
  emptiedCommands,
  heldBy,
  heldCommands,
  type HeldValues,
  NOTHING_HELD,
  veiledProgram,
} from './started/heldWords';
import { ranFiles, running } from './started/ranFiles';
import { renamed } from './started/renamed';
import { startedByOption } from './startedByOptions';
import { startedScripts } from './started/startedScripts';
import { steeringVariable } from './steeringVariables';
import {
  below,
  changedFiles,
  type Folders,
  isOptionName,
  type TouchedFile,
  touchedFiles,
} from './touched/touchedFiles';
import { programName, unwrapCommand, withoutWrappers } from './unwrapCommand';

/** A simple command of a line, as rules judge it. */
export interface CommandPart {
  /** As written. */
  text: string;
  /** The words of the command itself, without wrappers: what a rule may allow. */
  words: readonly string[];
  /** Those words and everything else that would run through the command: what a rule may deny. */
  layers: readonly (readonly ShellWord[])[];
  /** The reason why no rule for its words may allow it, as a sentence; null if a rule may. */
  caution: string | null;
  /** The reason why it always asks, whatever a rule or the mode says, as a sentence; null if it need not. */
  unread: string | null;
  /** The reason why a command that a rule denies may hide in it, as a sentence; null if it is clear what it runs. */
  obscure: string | null;
  /** Texts that it may run, or pass to what runs them. */
  mentions: readonly string[];
  /** The number of its words that identify what is run, if everything after them is known to be harmless; otherwise 0. */
  harmlessAfter: number;
  /** Something that the line names reaches its input: text, a file, or what another command prints. */
  isFed: boolean;
  /** The files that its redirections and its words touch. */
  files: readonly TouchedFile[];
}

/** The context of a line or a command. */
interface Place {
  shell: ShellKind;
  folders: Folders;
  /** The number of commands around it. */
  depth: number;
  /** Whether the shell that runs it may change the folder at some point. */
  leaves: boolean;
  /** Whether a command of the line may run what another one prints. */
  isHeard: boolean;
  /** The variables set by the lines around it. */
  held: HeldValues;
  /** The text of the lines around it. */
  around: string;
  /** What the whole line writes to files, as far as it was read. */
  written: WrittenFiles;
  /** The lines whose writes are in there. */
  noted: Set<string>;
  /** Whether the line says where programs are looked for. */
  isOnPath: boolean;
  /** Whether the secret that a command prints goes to its vendor’s own program. */
  isHanded: boolean;
  /** What is certain about the variables of the line. */
  certain: CertainValues;
  /** The files written by the line that are being judged as scripts. */
  ran: readonly string[];
  limits: LineLimits;
  /** The same limits for texts that may be lines; null inside such a text. */
  guesses: LineLimits | null;
}

/** What may contain a line that is run at another time than it is read. */
const NESTS = /\b(trap|eval|c?sh|\w+sh)\b/;
const SETS_PATH = /\b(PATH|path)\+?=/;
const MAX_FOLDERS = 8;
const MAX_DEPTH = 6;

const MOST_KEPT = 50;
const LONGEST_KEPT = 500;
/** Results by shell and line: agents run the same tests and builds again and again, and each call is judged several times. */
const kept = new Map<string, readonly CommandPart[]>();

/** Parses a line and returns what can be known about each command. If the line exceeds the limits, returns one part that says so. Pure. */
export function judgeCommand(line: string, shell: ShellKind): readonly CommandPart[] {
  const key = `${shell} ${line}`;
  const known = kept.get(key);
  if (known) return known;
  const parts = judgeAnew(line, shell);
  if (kept.size === MOST_KEPT) kept.clear();
  if (line.length <= LONGEST_KEPT) kept.set(key, parts);
  return parts;
}

function judgeAnew(line: string, shell: ShellKind): readonly CommandPart[] {
  const written: Pick<Place, 'written' | 'noted'> = { written: new Map(), noted: new Set() };
  const parts = judgeWith(written, line, shell);
  // A command that was judged before may run what a later one turned out to write.
  const isLate = written.written.size > 0 && written.noted.size > 1 && NESTS.test(line);
  return (parts && isLate ? judgeWith(written, line, shell) : parts) ?? [beyondLimits(line)];
}

/** Returns undefined if the line exceeds the limits. */
function judgeWith(written: Pick<Place, 'written' | 'noted'>, line: string, shell: ShellKind) {
  const [limits, guesses] = [new LineLimits(), new LineLimits()];
  const place: Place = {
    shell,
    depth: 0,
    folders: ['.'],
    leaves: false,
    isHeard: false,
    held: NOTHING_HELD,
    around: '',
    ...written,
    // On Windows, programs are looked for in the current folder too.
    isOnPath: shell === 'windows' || SETS_PATH.test(line),
    isHanded: false,
    certain: NONE_CERTAIN,
    ran: [],
    limits,
    guesses,
  };
  const parts = judgeLine(line, place);
  return isOver(place) ? undefined : withNewRepository(withNewOptions(parts));
}

/** Whether the line exceeds the limits, so that nothing else of it needs to be judged. */
function isOver({ limits, guesses }: Pick<Place, 'limits' | 'guesses'>): boolean {
  return limits.isExceeded || guesses?.isExceeded === true;
}

/** A line can create a file whose name is an option and then match it with a pattern. */
function withNewOptions(parts: readonly CommandPart[]): readonly CommandPart[] {
  const made = parts
    .flatMap(({ files }) => files)
    .find(({ kind, text }) => (kind === 'write' || kind === 'change') && isOptionName(text));
  if (!made) return parts;
  return parts.map((part) => {
    const pattern = part.files.find(({ kind }) => kind === 'option');
    return pattern ? { ...part, unread: part.unread ?? takenForOption(pattern.text, made.text) } : part;
  });
}

/** A line can make a repository of a folder, whose settings Git then reads. */
function withNewRepository(parts: readonly CommandPart[]): readonly CommandPart[] {
  const isHead = ({ kind, text }: TouchedFile) => /^(write|change)$/.test(kind) && /(^|\/)HEAD$/i.test(text);
  if (!parts.some(({ files }) => files.some(isHead))) return parts;
  return parts.map((part) =>
    part.files.some(({ kind }) => kind === 'repository')
      ? { ...part, unread: part.unread ?? 'Git may take what the line writes for a repository.' }
      : part,
  );
}

/** Returns, as a sentence, why a pattern that matches such a name asks. */
export function takenForOption(pattern: string, name: string): string {
  return `“${pattern}” may find the file “${name}”, whose name the command would take for an option.`;
}

const NOTHING = { words: [], layers: [], caution: null, unread: null, obscure: null, mentions: [], harmlessAfter: 0 };

function beyondLimits(text: string): CommandPart {
  const why = uncertain(LineLimits.WHAT);
  return { ...NOTHING, text, caution: why, unread: why, obscure: why, isFed: true, files: [] };
}

function uncertain(what: string): string {
  return `It uses ${what}, so it cannot be checked reliably.`;
}

function judgeLine(line: string, place: Place): readonly CommandPart[] {
  const { shell, limits } = place;
  if (isOver(place)) return [];
  const { parts, unclear, unread } = shellParts(line, shell, limits);
  if (isOver(place)) return [];
  const [doubt, lost] = [unclear, unread].map((what) => (what === null ? null : uncertain(what)));
  const found = parts.length > 0 ? parts : [{ text: line, assignments: [], words: [], redirections: [], inputs: [] }];
  let { folders } = place;
  const held = heldBy(found.map(withoutWrappers), place.held, place.depth);
  const around = `${place.around}\n${line}`;
  const opened = found.map((part) => openPart(part, held, limits));
  const leaving = opened.filter(({ unwrapped }) => changesFolder(unwrapped.layers.at(-1) ?? []));
  const wanders = leaving.some(({ part }) => part.repeats);
  const leaves = place.leaves || leaving.length > 0;
  const isHeard = place.isHeard || opened.some(({ scripts }) => scripts.some(runsPiped));
  const given = new GivenTexts(opened, line, place.written);
  // What may be a line, or was read before, adds nothing.
  if (place.guesses && !place.noted.has(line)) given.noteWritten();
  place.noted.add(line);
  // Alone in a line, a change of what names mean has no effect.
  const isAlone = place.depth === 0 && found.length === 1;
  const certain = unclear === null ? certainValues(line, found) : NONE_CERTAIN;
  return opened.flatMap((one, at) => {
    if (isOver(place)) return [];
    const { part } = one;
    const heard = given.heardBy(at);
    if (wanders && part.repeats) folders = null;
    const isHanded = doubt === null && place.depth === 0 && !place.isOnPath && isHandedOn(line, found, at);
    const within = { ...place, folders, leaves, isHeard, held, around, isHanded, certain };
    const { command, ...judged } = judgePart(running(one, heard), within);
    folders = setsWay(part) ? null : foldersAfter(command, folders, shell);
    const isFed = isFedBy(part) || given.isAround;
    return [
      {
        ...judged,
        isFed,
        caution: doubt ?? judged.caution,
        unread: lost ?? heard.veiled ?? judged.unread ?? (isAlone ? null : renamed(part, command)),
      },
    ];
  });
}

/** Removes a command's wrappers, and finds what each of its layers runs. */
function openPart(part: ShellPart, held: HeldValues, limits: LineLimits): OpenPart {
  const unwrapped = unwrapCommand(part.words);
  const command = unwrapped.layers.at(-1) ?? [];
  const started: InnerScripts[] = knownUse(command).inert ? [] : [startedScripts(command)];
  const commands = [...heldCommands(command, held, limits), ...emptiedCommands(command)];
  const meant: InnerScripts[] = [{ ...NO_SCRIPTS, commands }];
  return { part, unwrapped, scripts: unwrapped.layers.map((words) => innerScripts(words, part)), started, meant };
}

/** Returns what a command runs in addition to itself. */
function innerOf({ unwrapped, scripts, started, meant }: OpenPart, place: Place, folders: Folders) {
  const all = [...scripts, ...started, ...meant];
  const tooDeep = place.depth >= MAX_DEPTH && all.some(({ lines, commands }) => lines.length + commands.length > 0);
  if (tooDeep) return { tooDeep, isJudged: false, certain: [], inner: [] };
  // A trap runs at some later time, in whatever folder the line is by then.
  const isLater = place.leaves && programName(unwrapped.layers.at(-1)?.[0]) === 'trap';
  const within = { ...place, depth: place.depth + 1, folders: isLater ? null : folders };
  const judged = innerParts(scripts, within);
  const certain = [...judged, ...innerParts(started, within)];
  // The content of a variable may have changed by then.
  const filled = { ...place.held, said: NOTHING_HELD.said };
  return { tooDeep, isJudged: judged.length > 0, certain, inner: [...certain, ...innerParts(meant, within, filled)] };
}

/** Adds what a command runs of the files that the line writes. */
function withRunFiles(opened: OpenPart, place: Place) {
  const ran = ranFiles(opened, place.written, place);
  if (!ran) return { opened, place, veiled: null };
  return { opened: running(opened, ran), place: { ...place, ran: [...place.ran, ...ran.texts] }, veiled: ran.veiled };
}

/** Returns the first reason why what a command runs is not certain; null if there is none. */
function whyObscure({ unwrapped, scripts }: OpenPart, inner: readonly CommandPart[], hidden: string | null) {
  return firstOf([
    ...scripts.map((one) => one.obscure),
    ...unwrapped.obscure,
    ...inner.map((one) => one.obscure ?? one.unread),
    hidden,
  ]);
}

/** Returns why a command always asks by itself; null if it need not. */
function whyUnread({ part, unwrapped }: OpenPart, { shell, held, around, isHanded }: Place): string | null {
  const command = unwrapped.layers.at(-1) ?? [];
  return firstOf([
    gitSettings(part, unwrapped, shell),
    ...(isHanded ? [] : unwrapped.layers.map(printedSecret)),
    steeringVariable(part, unwrapped, held.named, shell),
    loadedLibrary(command, part.inputs),
    startedByOption(command),
    shell === 'posix' ? veiledProgram(command, held, around) : null,
  ]);
}

function judgePart(before: OpenPart, around: Place) {
  const { opened, place, veiled } = withRunFiles(before, around);
  const { part, unwrapped, scripts } = opened;
  const { shell } = place;
  const folders = unwrapped.moved ? null : place.folders;
  place.limits.addJudged(1 + (part.words.length + part.redirections.length) * (folders?.length ?? 1));
  const command = unwrapped.layers.at(-1) ?? [];
  const { harmless, inert, named: count } = knownUse(command);
  const { tooDeep, isJudged, certain, inner } = innerOf(opened, place, folders);
  const touching = { part, unwrapped, isInert: inert };
  const files = [
    ...(place.guesses ? touchedFiles : changedFiles)(touching, { ...place, folders, before: place.folders }),
    ...inner.flatMap((one) => one.files),
  ];
  // Of a text that may be a line, only the changes count.
  if (!place.guesses) return { ...NOTHING, command, text: part.text, isFed: false, files };
  const hidden = hiddenCommand(part, unwrapped.layers, { isJudged, isInert: inert, limits: place.limits });
  const mayRunText = !isJudged && (hidden !== null || scripts.some((one) => one.obscure !== null));
  files.push(...filesOfTexts(textsThatRun(part, unwrapped.layers, mayRunText), { ...place, folders }));
  const obscure = tooDeep ? 'It is wrapped in too many other commands.' : whyObscure(opened, inner, hidden);
  const texts = [...part.assignments, ...(inert ? [] : [...part.words, ...part.inputs])];
  const isText = inert && !place.isHeard;
  const seen = [...part.assignments, ...part.words, ...(isText ? [] : part.inputs)];
  const named = protectedIn(command, seen, isText, shell);
  return {
    command,
    text: part.text,
    words: textsOf(command),
    layers: [...unwrapped.layers, ...certain.flatMap((one) => one.layers)],
    caution: commandCaution(part, unwrapped) ?? named,
    unread: firstOf([veiled, named, whyUnread(opened, place), ...inner.map((one) => one.unread)]),
    obscure,
    // The value of a variable may be read after the words, for instance as the meaning of a subcommand.
    mentions: [
      ...textsOf([...texts, ...part.assignments, ...unwrapped.assignments]),
      ...inner.flatMap((one) => one.mentions),
    ],
    harmlessAfter: harmless ? count : 0,
    isFed: isFedBy(part),
    files,
  };
}

/** Returns what texts that may be shell lines would change, as far as it is certain: some are in other languages. */
function filesOfTexts(texts: readonly string[], place: Place): readonly TouchedFile[] {
  const { guesses, depth } = place;
  if (!guesses || depth >= MAX_DEPTH) return [];
  const within = { ...place, depth: depth + 1, limits: guesses, guesses: null };
  const parts = texts.flatMap((text) => judgeLine(text, within));
  return parts.flatMap(({ files }) =>
    files.filter(({ kind, paths }) => paths !== null && /^(write|change|remove)$/.test(kind)),
  );
}

/** `held`: values that the words of the commands may take. */
function innerParts(scripts: readonly InnerScripts[], place: Place, held = place.held): readonly CommandPart[] {
  return scripts.flatMap(({ lines, commands }) => [
    ...lines.flatMap((line) => judgeLine(line, place)),
    ...commands.flatMap((words) => {
      place.limits.addJudged(words.length);
      if (isOver(place)) return [];
      const part = { text: textsOf(words).join(' '), assignments: [], words, redirections: [], inputs: [] };
      return [judgePart(openPart(part, held, place.limits), place)];
    }),
  ]);
}

/** Whether the line may continue in another folder after a command. */
function changesFolder(command: readonly ShellWord[]): boolean {
  const [program] = command;
  // It may be `cd`.
  if (program && program.kind !== 'exact') return true;
  const name = programName(program);
  // The shell itself runs what these are given.
  if (/^(eval|trap|emulate)$/.test(name))
    return command.some(
      ({ text, kind }) => kind !== 'exact' || /\b(cd|chdir|pushd|popd)\b/.test(text.replaceAll(/["'\\]/g, '')),
    );
  return CHANGES_FOLDER.test(name);
}

/** Whether a command sets the variable that tells `cd` where to look for a folder. */
function setsWay({ assignments, words, inputs }: ShellPart): boolean {
  return [...assignments, ...words.slice(1), ...inputs].some(({ text }) => /^(\$\{)?(CDPATH|cdpath)\b/.test(text));
}

/** A change of folder may fail, so both the old and the new one are possible afterwards. */
function foldersAfter(command: readonly ShellWord[], folders: Folders, shell: ShellKind): Folders {
  if (!changesFolder(command)) return folders;
  const name = programName(command[0]);
  const [, target, ...more] = command;
  const plain = name === 'cd' && shell === 'posix' && more.length === 0 && target?.kind === 'exact';
  if (!folders || !plain || target.text.startsWith('-') || folders.length > MAX_FOLDERS / 2) return null;
  return [...folders, ...folders.map((folder) => below(folder, target.text))];
}

function textsOf(words: readonly ShellWord[]): readonly string[] {
  return words.map(({ text }) => text);
}

function firstOf(sentences: readonly (string | null)[]): string | null {
  return sentences.find((one) => one !== null) ?? null;
}

/** Returns the words of a line that is one simple command, as rules contain them; null for anything else. */
export function commandWords(line: string, shell: ShellKind): readonly string[] | null {
  const [part, ...others] = judgeCommand(line, shell);
  return part && others.length === 0 && part.unread === null && part.words.length > 0 ? part.words : null;
}
