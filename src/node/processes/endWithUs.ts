import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { type Disposable, onDispose } from '../../base/disposable';

/** The groups that are to end with this process. */
const leaders = new Set<number>();
let watcher: ChildProcess | undefined;
let started = 0;

/** In the environment of what is started, for the moment in which its number is not known yet. */
const MARK = 'CAIRN_START';

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
  const mark = `${process.pid}-${Date.now().toString(36)}-${++started};`;
  tell(`? ${mark}`);
  try {
    const child = start({ ...env, [MARK]: mark });
    return { child, watched: child.pid === undefined ? onDispose(() => undefined) : watch(child.pid) };
  } finally {
    tell(`- ${mark}`);
  }
}

function watch(leader: number): Disposable {
  leaders.add(leader);
  tell(`+ ${leader}`);
  return onDispose(() => {
    leaders.delete(leader);
    tell(`- ${leader}`);
  });
}

function tell(line: string): void {
  // One that is gone is started again with the next command.
  if (watcher?.stdin?.writable) watcher.stdin.write(`${line}\n`);
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
  return child;
}

type Program = [file: string, args: string[], env: NodeJS.ProcessEnv];

function onPosix(): Program {
  return ['/bin/sh', ['-c', POSIX_WATCHER], { PATH: '/usr/local/bin:/usr/bin:/bin' }];
}

/** Inside of an editor, Node is a program that has to be told to be it. */
function onWindows(): Program {
  return [process.execPath, ['-e', WINDOWS_WATCHER], { ...process.env, ELECTRON_RUN_AS_NODE: '1' }];
}

/**
 * Asks at first, and forces a second later. Needs no room on a disk, which here-documents take in some shells. Descendants that left their group are found by their parents before anything is
 * signalled, since the parent of an orphan is forgotten.
 */
const POSIX_WATCHER = `# Ends the commands of a Cairn that is gone.
trap '' HUP INT QUIT TERM
leaders=' '
starting=' '
while read -r sign name; do
  case $sign in
    '?') starting="$starting$name " ;;
    +) leaders="$leaders$name " ;;
    -)
      case $leaders in *" $name "*) leaders="\${leaders%% $name *} \${leaders#* $name }" ;; esac
      case $starting in *" $name "*) starting="\${starting%% $name *} \${starting#* $name }" ;; esac
      ;;
  esac
done
[ "$leaders$starting" = '  ' ] && exit
members=' '
find_started() {
  for mark in $starting; do
    for file in $(grep -lsF "${MARK}=$mark" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      leaders="$leaders\${pid%/environ} "
    done
  done
}
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
  for (const line of lines) leaders[line[0] === '+' ? 'add' : 'delete'](line.slice(2));
}).on('end', () => {
  for (const pid of leaders) {
    require('node:child_process').spawnSync('taskkill', ['/pid', pid, '/T', '/F'], { windowsHide: true });
  }
});
`;
