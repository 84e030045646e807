import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { type Disposable, onDispose } from '../../base/disposable';

/** The groups that are to end with this process. */
const leaders = new Set<number>();
let watcher: ChildProcess | undefined;
let started = 0;
let isFollowed = false;

/** In the environment of what is started, for the moment in which its number is not known yet. */
const MARK = 'CAIRN_START';
/** What the marks of this process have in common; the rest is a number, by which the watcher counts along. */
const ours = `${process.pid}-${Date.now().toString(36)}`;

const SOON_MS = 50;

export interface WatchedProcess {
  child: ChildProcess;
  /** From then on the process may outlive this one. */
  watched: Disposable;
}

/**
 * Starts a process that leads a group of its own, with `start` and the environment that it is given. It is ended with its
 * descendants when this process goes away, however that happens, also when it is killed. A small process of its own sees to it:
 * it reads a pipe that closes then. What happens between the start and the moment in which the number is known is covered by a
 * mark in the environment, where the system lets it be read (Linux).
 */
export function startWatched(
  env: NodeJS.ProcessEnv,
  start: (marked: NodeJS.ProcessEnv) => ChildProcess,
): WatchedProcess {
  watcher ??= startWatcher();
  let leader: number | undefined;
  try {
    const child = start({ ...env, [MARK]: `${ours}-${++started};` });
    leader = child.pid;
    return { child, watched: leader === undefined ? onDispose(() => undefined) : watch(leader) };
  } finally {
    tell(leader === undefined ? '!' : `+ ${leader}`);
  }
}

/** The watcher is told of it with what else there is to tell. */
function watch(leader: number): Disposable {
  leaders.add(leader);
  return onDispose(() => {
    leaders.delete(leader);
    tellSoon(`- ${leader}`);
  });
}

let untold: string[] = [];

/** With the next line, or after a moment: each line wakes the watcher up, and commands often follow each other. */
function tellSoon(line: string): void {
  if (untold.length === 0) setTimeout(() => tell(), SOON_MS).unref();
  untold.push(line);
}

function tell(...lines: string[]): void {
  const all = [...untold, ...lines];
  untold = [];
  // One that is gone is started again with the next command.
  if (all.length > 0 && watcher?.stdin?.writable) watcher.stdin.write(`${all.join('\n')}\n`);
}

function startWatcher(): ChildProcess {
  const [file, args, env] = process.platform === 'win32' ? onWindows() : onPosix();
  const child = spawn(file, args, {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
    // What the terminal sends to us is not for it.
    detached: true,
    windowsHide: true,
  });
  const forget = () => {
    if (watcher === child) watcher = undefined;
  };
  child.on('error', forget).on('exit', forget);
  child.stdin.on('error', forget);
  // It keeps nobody from ending.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  for (const leader of leaders) child.stdin.write(`+ ${leader}\n`);
  // What it was not told yet it would look for when we are gone.
  if (!isFollowed) process.once('exit', () => tell('.'));
  isFollowed = true;
  return child;
}

type Program = [file: string, args: string[], env: NodeJS.ProcessEnv];

function onPosix(): Program {
  return [
    '/bin/sh',
    ['-c', POSIX_WATCHER, 'cairn', ours, String(started - leaders.size)],
    { PATH: '/usr/local/bin:/usr/bin:/bin' },
  ];
}

/** Inside of an editor, Node is a program that has to be told to be it. */
function onWindows(): Program {
  return [process.execPath, ['-e', WINDOWS_WATCHER], { ...process.env, ELECTRON_RUN_AS_NODE: '1' }];
}

/**
 * It is told `+` with a leader that was started, `!` of a start that failed, `-` with a leader that is over, and `.` when nothing
 * is started any more; without that it looks for the mark of the next start. Asks at first, and forces a second later. Needs no
 * room on a disk, which here-documents take in some shells. Descendants that left their group are found by their parents before
 * anything is signalled, since the parent of an orphan is forgotten.
 */
const POSIX_WATCHER = `# Ends the commands of a Cairn that is gone.
trap '' HUP INT QUIT TERM
ours=$1
started=$2
leaders=' '
ended=
while read -r sign name; do
  case $sign in
    +) leaders="$leaders$name " started=$((started + 1)) ;;
    '!') started=$((started + 1)) ;;
    .) ended=1 ;;
    -) case $leaders in *" $name "*) leaders="\${leaders%% $name *} \${leaders#* $name }" ;; esac ;;
  esac
done
members=' '
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
    const [sign, leader] = line.split(' ');
    if (sign === '+') leaders.add(leader);
    else if (sign === '-') leaders.delete(leader);
  }
}).on('end', () => {
  for (const pid of leaders) {
    require('node:child_process').spawnSync('taskkill', ['/pid', pid, '/T', '/F'], { windowsHide: true });
  }
});
`;
