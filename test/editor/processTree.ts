import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the processes below `pid` at any depth, without `pid` itself. Synchronous, so that it can run while Node exits. */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const [child, parent] of process.platform === 'linux' ? readProc() : readPs()) {
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const found: number[] = [];
  const collect = (parent: number): void => {
    for (const child of children.get(parent) ?? []) {
      found.push(child);
      collect(child);
    }
  };
  collect(pid);
  return found;
}

type ChildAndParent = readonly [number, number];

/** Reads /proc because small containers do not have `ps`. */
function readProc(): ChildAndParent[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): ChildAndParent[] => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The second field, the command, may contain spaces and parentheses, so split after its last parenthesis.
        const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
        return [[Number(name), Number(parent)]];
      } catch {
        return []; // The process ended while the list was being read.
      }
    });
}

function readPs(): ChildAndParent[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', timeout: 5000 })
    .split('\n')
    .flatMap((line): ChildAndParent[] => {
      const [pid, parent] = line.trim().split(/\s+/);
      return pid && parent ? [[Number(pid), Number(parent)]] : [];
    });
}
