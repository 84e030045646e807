import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import matter from 'gray-matter';
import { AgentLoader } from '../../../src/engine/agents/agentLoader';
import { nodePorts } from '../../../src/node/nodePorts';
import { median } from '../median';
import { ratioRow } from '../ratioRow';
import type { Row } from '../row';

const FILES = 1000;

/**
 * Usage: node agentRows.mjs ROUNDS SCRATCH
 *
 * Measures loading 1000 agent files: finding, reading, parsing, and validating them against the schema with the position of each
 * value, compared with gray-matter, which finds, reads, and parses them. Two extra, uncounted rounds warm up.
 */
async function measureLoading(rounds: number, scratch: string): Promise<Row[]> {
  const folder = manyAgents(path.join(scratch, 'agents'));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const loader = new AgentLoader(nodePorts({ env: {}, ripgrepCandidates: [], log }));
  const load = async () => {
    const { items, problems } = await loader.readRoot({ folder, scope: 'user', world: 'cairn' });
    if (problems.length > 0) throw new Error(`${problems.length} problems, such as: ${problems[0]?.message}`);
    return items.length;
  };
  const parse = async () => {
    const names = await readdir(folder, { recursive: true });
    const files = names.filter((name) => name.endsWith('.md'));
    const read = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
    // The options argument is needed: without it, gray-matter caches what it has parsed.
    return read.map((text) => matter(text, {})).filter(({ data }) => 'description' in data).length;
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = -2; round < rounds; round++) {
    const turns = [
      { work: load, times: ours },
      { work: parse, times: theirs },
    ];
    for (const { work, times } of round % 2 === 0 ? turns : turns.reverse()) {
      const began = performance.now();
      const found = await work();
      const took = performance.now() - began;
      if (found !== FILES) throw new Error(`${found} agents were found instead of ${FILES}.`);
      if (round >= 0) times.push(took / FILES);
    }
  }
  return [
    ratioRow('loading an agent, to gray-matter', ours, theirs),
    { what: 'loading an agent', value: median(ours), unit: 'ms', digits: 3 },
    { what: 'loading an agent, gray-matter', value: median(theirs), unit: 'ms', digits: 3 },
  ];
}

/** Creates realistic agents: a dozen settings and instructions of 3 KB each. */
function manyAgents(root: string): string {
  const body = Array.from(
    { length: 40 },
    (_, line) => `- Rule ${line}: look before you change anything, and say why.\n`,
  );
  for (let number = 0; number < FILES; number++) {
    const folder = path.join(root, `team${number % 25}`);
    mkdirSync(folder, { recursive: true });
    const head = [
      `description: "Agent ${number}: does one thing"`,
      'mode: subagent',
      'model: openai/gpt-5.4',
      'temperature: 0.2',
      'tools: [fs_read, fs_grep, fs_glob, execute_command]',
      'permission:',
      '  bash:',
      '    "*": deny',
      '    "git *": allow',
      'variables:',
      '  - name: area',
      '    description: Where to look',
      '    default: src',
      'conversation_starters:',
      '  - Look at what I changed.',
    ].join('\n');
    writeFileSync(
      path.join(folder, `agent${number}.md`),
      `---\n${head}\n---\nYou are agent ${number}.\n\n${body.join('')}`,
    );
  }
  return root;
}

const [rounds = '', scratch = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measureLoading(Number(rounds), scratch)));
