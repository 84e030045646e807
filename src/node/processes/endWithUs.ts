import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { type Disposable, onDispose } from '../../base/disposable';

/** The groups that are to end with this process. */
const leaders = new Set<number>();
let watcher: ChildProcess | undefined;

/**
 * Has the process that leads the group `leader` ended with its descendants when this process goes away, however that happens,
 * also when it is killed; until it is disposed. A small process of its own sees to it: it reads a pipe that closes then.
 */
export function endWithUs(leader: number): Disposable {
  beginToWatch();
  leaders.add(leader);
  tell('+', leader);
  return onDispose(() => {
    leaders.delete(leader);
    tell('-', leader);
  });
}

/** Starts the process that sees to it; before a command is started, since afterwards it could be too late. */
export function beginToWatch(): void {
  if (watcher) return;
  watcher = startWatcher();
  for (const other of leaders) tell('+', other);
}

function tell(sign: '+' | '-', leader: number): void {
  // One that is gone is started again with the next command.
  if (watcher?.stdin?.writable) watcher.stdin.write(`${sign} ${leader}\n`);
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
 * Asks at first, and forces a second later. Descendants that left their group are found by their parents before anything is
 * signalled, since the parent of an orphan is forgotten.
 */
const POSIX_WATCHER = `# Ends the commands of a Cairn that is gone.
trap '' HUP INT QUIT TERM
leaders=' '
while read -r sign pid; do
  case $sign in
    +) leaders="$leaders$pid " ;;
    -) case $leaders in *" $pid "*) leaders="\${leaders%% $pid *} \${leaders#* $pid }" ;; esac ;;
  esac
done
[ "$leaders" = ' ' ] && exit
members=$leaders
table() {
  if [ -r /proc/self/stat ]; then
    for stat in /proc/[0-9]*/stat; do
      { read -r line < "$stat"; } 2>/dev/null || continue
      set -- \${line##*)}
      echo "\${line%% *} $2 $3"
    done
  else
    ps -A -o pid= -o ppid= -o pgid=
  fi
}
find_members() {
  rows=$(table)
  before=
  while [ "$before" != "$members" ]; do
    before=$members
    while read -r pid parent group; do
      case $members in *" $pid "*) continue ;; esac
      case $members in *" $parent "* | *" $group "*) members="$members$pid " ;; esac
    done <<END
$rows
END
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
