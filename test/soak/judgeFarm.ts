import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseHistory } from '../../src/engine/sessions/parseHistory';
import { sessionMetadataSchema } from '../../src/engine/sessions/sessionEntry';
import { FILE_END } from './farmModel';
import { acknowledged, type StartedCommand } from './startedCommand';

/** Left by killed writes of files and locks until another process may remove it. */
const ASIDE = /\.tmp$/;
const HISTORY = 'history.jsonl';

export interface Judgement {
  /** The total in all sessions. */
  messages: number;
  /** Files whose writers were killed before the files replaced others or became locks, and sessions whose first message was not written. */
  aside: number;
  problems: string[];
}

/** Inspects what is on disk at the end. */
export async function judgeFarm(
  config: string,
  workspace: string,
  started: readonly StartedCommand[],
): Promise<Judgement> {
  const judgement: Judgement = { messages: 0, aside: 0, problems: [] };
  const kept = new Set<string>();
  const root = path.join(config, 'sessions');
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (entry.isDirectory()) await judgeSession(path.join(root, entry.name), kept, judgement);
  }
  for (const one of started) {
    for (const id of acknowledged(one).filter((known) => !kept.has(known))) {
      judgement.problems.push(`${one.session}: message ${id} was acknowledged and is nowhere.`);
    }
  }
  await judgeFiles(workspace, judgement);
  return judgement;
}

async function judgeSession(folder: string, kept: Set<string>, judgement: Judgement): Promise<void> {
  const { problems } = judgement;
  const file = path.join(folder, HISTORY);
  // Its process was killed while it made the session. A message that it acknowledged would still be missed.
  if (!(await readdir(folder)).includes(HISTORY)) {
    judgement.aside++;
    return;
  }
  const history = parseHistory(await readFile(file, 'utf8'), file);
  problems.push(...history.problems);
  if (history.repaired !== undefined) problems.push(`${file} has no end of its last line.`);
  for (const entry of history.entries) {
    if (entry.type !== 'message') continue;
    judgement.messages++;
    if (kept.has(entry.message.id)) problems.push(`${file}: message ${entry.message.id} is there twice.`);
    kept.add(entry.message.id);
  }
  const metadata: unknown = JSON.parse(await readFile(path.join(folder, 'metadata.json'), 'utf8'));
  if (!sessionMetadataSchema.safeParse(metadata).success) problems.push(`${folder}: metadata.json is not whole.`);
  for (const name of await readdir(folder)) {
    if (ASIDE.test(name)) judgement.aside++;
    else if (/lock|waiting/.test(name)) problems.push(`${folder}/${name} is left.`);
  }
}

async function judgeFiles(workspace: string, judgement: Judgement): Promise<void> {
  for (const name of await readdir(workspace)) {
    if (ASIDE.test(name)) {
      judgement.aside++;
      continue;
    }
    const text = await readFile(path.join(workspace, name), 'utf8');
    const [first, ...others] = new Set(text.slice(0, -FILE_END.length).split('\n'));
    if (!text.endsWith(FILE_END) || first === undefined || others.length > 0) {
      judgement.problems.push(`${name} is half-written, or of two writes.`);
    }
  }
}
