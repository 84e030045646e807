import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Disposable, onDispose } from '../../base/disposable';

/** The leaders of process groups that must end with this process, with the numbers in their marks. */
const leaders = new Map<number, number>();
let watcher: ChildProcess | undefined;
let started = 0;
let isFollowed = false;

/** An environment variable that identifies started processes and what they start, even if their pid or their parent is unknown. */
const MARK = 'CAIRN_START';
/** The common prefix of this process's marks. The rest is a number; the watcher expects them in order. */
const ours = `${process.pid}-${Date.now().toString(36)}`;

const SOON_MS = 50;

interface WatchedProcess {
  child: ChildProcess;
  /** Dispose it to let the process outlive this one. */
  watched: Disposable;
}

/**
 * Starts a process as the leader of its own group, with `start` and the environment passed to it. When this process goes away for
 * any reason, even if killed, the new process and its descendants are ended by a small watcher process, which reads from a pipe
 * that closes at that moment. A mark in the environment identifies the process until its pid is known, and descendants whose
 * parents ended first, on systems that allow reading it (Linux).
 */
export function startWatched(
  env: NodeJS.ProcessEnv,
  start: (marked: NodeJS.ProcessEnv) => ChildProcess,
): WatchedProcess {
  watcher ??= startWatcher();
  let leader: number | undefined;
  const number = ++started;
  try {
    const child = start({ ...env, [MARK]: `${ours}-${number};` });
    leader = child.pid;
    return { child, watched: leader === undefined ? onDispose(() => undefined) : watch(leader, number) };
  } finally {
    tell(leader === undefined ? `! ${number}` : `+ ${number} ${leader}`);
  }
}

/** Watches a leader until disposed. The watcher learns of the end along with the next message. */
function watch(leader: number, number: number): Disposable {
  leaders.set(leader, number);
  return onDispose(() => {
    leaders.delete(leader);
    tellSoon(`- ${number} ${leader}`);
  });
}

let untold: string[] = [];

/**
 * Queues a line to be sent with the next one, or after a moment: each write wakes the watcher, and commands often come in quick
 * succession.
 */
function tellSoon(line: string): void {
  if (untold.length === 0) setTimeout(() => tell(), SOON_MS).unref();
  untold.push(line);
}

function tell(...lines: string[]): void {
  const all = [...untold, ...lines];
  untold = [];
  // A watcher that is gone is restarted with the next command.
  if (all.length > 0 && watcher?.stdin?.writable) watcher.stdin.write(`${all.join('\n')}\n`);
}

function startWatcher(): ChildProcess {
  const [file, args, env] = process.platform === 'win32' ? onWindows() : onPosix();
  const child = spawn(file, args, {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
    // Signals from the terminal to Cairn must not reach the watcher.
    detached: true,
    windowsHide: true,
  });
  const forget = () => {
    if (watcher === child) watcher = undefined;
  };
  child.on('error', forget).on('exit', forget);
  child.stdin.on('error', forget);
  // The watcher must not keep this process alive.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  for (const [leader, number] of leaders) child.stdin.write(`+ ${number} ${leader}\n`);
  // Otherwise the watcher would look for a start it was not told of when Cairn exits.
  if (!isFollowed) process.once('exit', () => tell('.'));
  isFollowed = true;
  return child;
}

type Program = [file: string, args: string[], env: NodeJS.ProcessEnv];

function onPosix(): Program {
  return ['/bin/sh', ['-c', POSIX_WATCHER, 'cairn', ours, String(started)], { PATH: '/usr/local/bin:/usr/bin:/bin' }];
}

/** Within an editor, the executable runs as Node only with this variable. */
function onWindows(): Program {
  return [process.execPath, ['-e', WINDOWS_WATCHER], { ...process.env, ELECTRON_RUN_AS_NODE: '1' }];
}

/**
 * Receives `+` with a started leader, `!` for a failed start, `-` with a finished leader, and `.` when nothing more will be
 * started; without `.` it looks for the mark of the next start. Sends SIGTERM first and kills a second later. Uses no
 * here-documents, which need disk space in some shells. Finds descendants that left their group by their parents before sending
 * any signals, since an orphan's parent is lost.
 */
const POSIX_WATCHER = `# Ends the commands of a Cairn that is gone.
trap '' HUP INT QUIT TERM
ours=$1
started=$2
leaders=' '
numbers=' '
ended=
while read -r sign number name; do
  case $sign in
    +) leaders="$leaders$name " numbers="$numbers$number " ;;
    .) ended=1 ;;
    -)
      case $leaders in *" $name "*) leaders="\${leaders%% $name *} \${leaders#* $name }" ;; esac
      case $numbers in *" $number "*) numbers="\${numbers%% $number *} \${numbers#* $number }" ;; esac
      ;;
  esac
  case $sign in + | '!') [ "$number" -gt "$started" ] && started=$number ;; esac
done
members=' '
find_marked() {
  marks=$(for number in $numbers; do echo "${MARK}=$ours-$number;"; done)
  for file in $(grep -lsF "$marks" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    members="$members\${pid%/environ} "
  done
}
find_started() {
  [ -z "$ended" ] || return
  for file in $(grep -lsF "${MARK}=$ours-$((started + 1));" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    leaders="$leaders\${pid%/environ} "
  done
}
find_started
[ "$leaders" = ' ' ] && exit
table() {
  if [ -r /proc/self/stat ]; then
    for stat in /proc/[0-9]*/stat; do
      { read -r line < "$stat"; } 2>/dev/null || continue
      set -- \${line##*)}
      echo "\${line%% *},$2,$3"
    done
  else
    ps -A -o pid= -o ppid= -o pgid= | while read -r pid parent group; do echo "$pid,$parent,$group"; done
  fi
}
find_members() {
  find_started
  [ "$numbers" = ' ' ] || find_marked
  members="$members\${leaders# }"
  rows=$(table)
  before=
  while [ "$before" != "$members" ]; do
    before=$members
    for row in $rows; do
      pid=\${row%%,*}
      group=\${row##*,}
      parent=\${row#*,}
      parent=\${parent%,*}
      case $members in *" $pid "*) continue ;; esac
      case $members in *" $parent "* | *" $group "*) members="$members$pid " ;; esac
    done
  done
}
send() {
  for pid in $leaders; do kill -s "$1" -- "-$pid"; done
  for pid in $members; do kill -s "$1" "$pid"; done
}
find_members
send TERM 2>/dev/null
sleep 1
find_members
send KILL 2>/dev/null
`;

const WINDOWS_WATCHER = `
const leaders = new Set();
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const [sign, , leader] = line.split(' ');
    if (sign === '+') leaders.add(leader);
    else if (sign === '-') leaders.delete(leader);
  }
}).on('end', () => {
  for (const pid of leaders) {
    require('node:child_process').spawnSync('taskkill', ['/pid', pid, '/T', '/F'], { windowsHide: true });
  }
});
`;

/** Short enough that everything started by a canceled run is gone within a second. */
const POLITE_MS = 700;
const FORCED_MS = 2000;
const POLL_MS = 25;

/**
 * Ends the process that leads the group `leader`, its group, and descendants that left the group. Sends SIGTERM first and SIGKILL
 * shortly afterwards; on Windows, kills at once. Resolves once all are gone, or nothing more can be done about the rest. `seen`:
 * processes that were descendants earlier, which are ended too, unless their ids belong to other processes by now. `isReaped`: the
 * leader itself has ended, so a process with its id is a different one, and so is that process's group.
 */
export async function endProcessTree(
  leader: number,
  seen: readonly SeenProcess[] = [],
  isReaped = false,
): Promise<void> {
  if (process.platform === 'win32') return endOnWindows(leader);
  const known: Known = new Map(seen.map(({ pid, start }) => [pid, start]));
  if (isReaped && !known.has(leader)) known.set(leader, REAPED);
  await signalTree(leader, known, 'SIGTERM');
  if (await gone(leader, known, POLITE_MS)) return;
  await signalTree(leader, known, 'SIGKILL');
  await gone(leader, known, FORCED_MS);
}

/** Whether the process has ended, so that its id may belong to another process. */
export function isReaped({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * Returns the process, its group, and its current descendants. A descendant that left the group can no longer be found once its
 * parent has ended.
 */
export async function processTree(leader: number): Promise<SeenProcess[]> {
  return process.platform === 'win32' ? [] : living(leader, new Map());
}

function endOnWindows(leader: number): Promise<void> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(leader), '/T', '/F'], { windowsHide: true }, () => resolve());
  });
}

async function signalTree(leader: number, known: Known, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const table = await processTable();
  const members = membersIn(table, leader, known);
  if (!isTaken(table, leader, known)) trySignal(-leader, signal);
  for (const { pid } of members) trySignal(pid, signal);
}

async function gone(leader: number, known: Known, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    if ((await living(leader, known)).length === 0) return true;
    if (Date.now() >= deadline) return false;
    await pause(POLL_MS);
  }
}

async function living(leader: number, known: Known): Promise<SeenProcess[]> {
  return membersIn(await processTable(), leader, known);
}

/** Whether the leader's id belongs to another process by now. The system gives it away only once its group is empty. */
function isTaken(table: readonly ProcessRow[], leader: number, known: Known): boolean {
  const holder = table.find(({ pid }) => pid === leader);
  const start = known.get(leader);
  return holder !== undefined && start !== undefined && holder.start !== start;
}

/** Returns the live processes of the group and its descendants. Those seen once stay in `known` even if their parent ends first. */
function membersIn(table: readonly ProcessRow[], leader: number, known: Known): SeenProcess[] {
  const isOurs = !isTaken(table, leader, known);
  const isMember = ({ pid, group, start }: ProcessRow) => (isOurs && group === leader) || known.get(pid) === start;
  const members = new Map(table.filter(isMember).map(({ pid, start }) => [pid, start]));
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const { pid, parent, start } of table) if (members.has(parent)) members.set(pid, start);
  }
  for (const [pid, start] of members) known.set(pid, start);
  return [...members].map(([pid, start]) => ({ pid, start }));
}

/** The process may have ended in the meantime, or belong to another user. */
function trySignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    return;
  }
}

/** A process. The system may give the id of one that has ended to another, which then has another start. */
interface SeenProcess {
  readonly pid: number;
  /** When it was started, in the system's own form. */
  readonly start: string;
}

/** Starts by id. */
type Known = Map<number, string>;

/** The start of a process that has ended, which no live one has. */
const REAPED = 'reaped';

/** A live process. */
interface ProcessRow extends SeenProcess {
  readonly parent: number;
  readonly group: number;
}

/** Lists all live processes on a POSIX machine, without zombies. */
export function processTable(platform: NodeJS.Platform = process.platform): Promise<ProcessRow[]> {
  return platform === 'linux' ? fromProc() : fromPs();
}

async function fromProc(): Promise<ProcessRow[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(names.map(readStat));
  return rows.filter((row) => row !== null);
}

/** The position of the start time after the name, in ticks since the machine was started. */
const START_FIELD = 19;

/** Returns null if the process ended while the table was being read. */
async function readStat(pid: string): Promise<ProcessRow | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain anything, including spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent, group] = fields;
    if ('ZX'.includes(state)) return null;
    return { pid: Number(pid), parent: Number(parent), group: Number(group), start: fields[START_FIELD] ?? '' };
  } catch {
    return null;
  }
}

function fromPs(): Promise<ProcessRow[]> {
  return new Promise((resolve) => {
    // Without ps the table is empty, so only the process group is known.
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], (_error, stdout) => {
      const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
      const living = rows.filter(([pid, , , state]) => Boolean(pid) && !state?.startsWith('Z'));
      resolve(
        living.map(([pid, parent, group, , ...start]) => ({
          pid: Number(pid),
          parent: Number(parent),
          group: Number(group),
          start: start.join(' '),
        })),
      );
    });
  });
}
