import { Validator } from '@cfworker/json-schema';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parsePermissionFile, parseRepositoryRules } from '../../src/engine/permissions/permissionFile';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import type { Story } from '../support/modelServer/story';
import { lineProblem, SETTINGS } from './knownNames';
import { DOC_PAGES, type Page, pageOf, readPage } from './page';
import { filesOf, inPageWorld, isRun, sessionsOf } from './pageWorld';

const TSC = join(repoRoot, 'node_modules', 'typescript7', 'bin', 'tsc');
const ANYTHING: Story = [{ when: () => true, step: { say: 'Done.' } }];
/** Calls the tool when the message begins with `what`, then answers with the result. */
const calling = (what: string, name: string, input: Record<string, unknown>) => ({
  when: ({ messages, tools }: ModelRequest) => tools.length > 0 && messages.some(({ text }) => text.startsWith(what)),
  step: ({ lastText }: ModelRequest) =>
    lastText.startsWith(what) ? { call: [{ name, arguments: input }] } : { say: `Calling ${name}: ${lastText}` },
});
const running = (what: string, command: string) => calling(what, 'execute_command', { command });
/** The model's answers on pages whose lines need more than a fixed word. */
const STORIES: Readonly<Record<string, Story>> = {
  'docs/graphs.md': [
    {
      when: ({ lastText }) => lastText.startsWith('Rate this text'),
      step: ({ lastText }) => ({
        say: JSON.stringify({ rating: lastText.includes('pond') ? 8 : 5, advice: 'Name the place.' }),
      }),
    },
    {
      when: ({ lastText }) => lastText.startsWith('Improve this text. Name the place.'),
      step: { say: 'A heron stood in the pond.' },
    },
    ...ANYTHING,
  ],
  'docs/tools.md': [calling('How many', 'count_lines', { path: 'notes.md' })],
  'docs/library.md': [calling('How is the weather', 'acme_weather', { city: 'Oslo' }), ...ANYTHING],
  'docs/approvals.md': [running('Delete the notes', 'rm notes.md'), running('Push it', 'git push'), ...ANYTHING],
};

/** The check to run on a folder that contains these files, and the output that it must not print. */
const CHECKS = [
  {
    of: /^\.cairn\/(?:agents|skills|roles)\//,
    ask: 'cairn --validate .',
    wrong: /\b(?:error|warning|note)\b|[1-9]\d* (?:errors|warnings)/,
  },
  {
    of: /^~\/\.config\/cairn\/(?:agents|skills|roles)\//,
    ask: 'cairn --validate ~/.config/cairn',
    wrong: /\b(?:error|warning)\b/,
  },
  { of: /commands\/.*\.md$/, ask: 'cairn --trust --list commands', wrong: /\b(?:error|warning|note)\b/ },
  {
    of: /config\.yaml$/,
    ask: 'cairn --info',
    wrong: /config\.yaml:\d+:\d+: (?!warning: there is no secret)|no effect|not known/,
  },
  { of: /tools\/[^/]+$|tools\.(?:sh|py|ts|js)$/, ask: 'cairn tools check --trust', wrong: /[1-9]\d* errors?/ },
  { of: /mcp\.json$/, ask: 'cairn mcp list --trust', wrong: /left out|no MCP server|not JSON|there is no “/ },
];

const manifestSchema = z.object({ publisher: z.string(), name: z.string() });
const { publisher, name } = manifestSchema.parse(JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')));
const EXTENSION = `${publisher}.${name}`;

const settingsFile = z.record(z.string(), z.unknown());

/** Returns what is wrong with files that no command of Cairn checks. */
function fileProblems({ path, text }: { path: string; text: string }): string[] {
  if (path.endsWith('settings.json')) {
    return Object.entries(settingsFile.parse(JSON.parse(text))).flatMap(([name, value]) => {
      const schema = SETTINGS.get(name);
      if (!schema) return [`${path}: ${name} is no setting`];
      return new Validator(schema).validate(value).errors.map(({ error }) => `${path}: ${name}: ${error}`);
    });
  }
  if (path === 'package.json') {
    const { extensionDependencies } = z.object({ extensionDependencies: z.array(z.string()) }).parse(JSON.parse(text));
    return extensionDependencies.filter((id) => id !== EXTENSION).map((id) => `${path}: ${id} is not this extension`);
  }
  if (path === '.cairn/permissions.json') return parseRepositoryRules(text, path).problems;
  if (path.endsWith('permissions.json')) parsePermissionFile(text, path);
  return [];
}

/** Returns what the compiler reports about the programs of a page. */
async function compilerProblems(page: Page): Promise<string> {
  const programs = page.snippets.filter(
    ({ language }) => ['ts', 'js', 'mjs'].includes(language) && !page.path.endsWith('tools.md'),
  );
  if (programs.length === 0) return '';
  const folder = await mkdtemp(join(repoRoot, '.build', 'docs-'));
  try {
    const config = {
      extends: '../../tsconfig.json',
      compilerOptions: {
        allowJs: true,
        checkJs: true,
        noImplicitAny: false,
        noPropertyAccessFromIndexSignature: false,
        noEmit: true,
        paths: { cairn: ['../../src/library/index.ts'] },
      },
      include: ['*', '../../src/**/*.d.ts'],
      exclude: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const [index, { language, text }] of programs.entries()) {
      await writeFile(join(folder, `program${index}.${language === 'ts' ? 'mts' : 'mjs'}`), text);
    }
    const { output } = await runCommand(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
      timeoutMs: 60_000,
    });
    return output;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkFiles(page: Page): Promise<void> {
  const files = filesOf(page);
  assert.deepEqual(files.flatMap(fileProblems), []);
  await inPageWorld(page, ANYTHING, async ({ shell }) => {
    for (const { ask, wrong } of CHECKS.filter((check) => files.some(({ path }) => check.of.test(path)))) {
      const { code, output } = await shell(ask);
      assert.equal(code, 0, `${ask}\n${output}`);
      assert.doesNotMatch(output, wrong);
    }
  });
}

describe('The snippets of docs/', function () {
  this.timeout(120_000);
  before(function () {
    // The lines are written for bash.
    if (process.platform === 'win32') this.skip();
  });

  for (const path of DOC_PAGES) {
    const page = readPage(path);
    if (filesOf(page).length > 0) it(`${path} has files that Cairn accepts without problems`, () => checkFiles(page));

    if (sessionsOf(page).length > 0)
      it(`${path} has shell lines that do what the page says`, () =>
        inPageWorld(page, STORIES[path] ?? ANYTHING, async ({ shell }) => {
          for (const { lines, output: expected } of sessionsOf(page)) {
            const { code, output } = await shell(lines);
            assert.equal(code, 0, `${lines}\n${output}`);
            const printed = output.replace(/[ \t]+/g, ' ');
            for (const line of expected) assert.ok(printed.includes(line.trim()), `No “${line}” in:\n${output}`);
          }
        }));

    it(`${path} has no unknown option and no unchecked block`, () => {
      for (const { language, info, text } of page.snippets) {
        const isChecked =
          info.startsWith('file=') || ['sh', 'ts', 'js'].includes(language) || (language === 'text' && info === '');
        assert.ok(isChecked, `A block of ${language} ${info} is not checked`);
        if (language !== 'sh') continue;
        const lines = text
          .replaceAll('\\\n', ' ')
          .split('\n')
          .flatMap((line) => line.match(/(?<![\w./~-])cairn(?: [^|;&>]*)?/) ?? []);
        assert.deepEqual(
          lines.flatMap((line) => lineProblem(line.trim()) ?? []),
          [],
        );
        assert.ok(lines.length > 0 || !isRun({ language, info, text }) || /\bnode\b/.test(text), text);
      }
    });

    it(`${path} has programs that compile`, async () => assert.equal(await compilerProblems(page), ''));
  }

  it('README.md has lines for a clone that do what they say', async () => {
    const lines = readPage('README.md').snippets.flatMap(({ text }) => text.match(/^node dist\/cairn\.mjs.*$/gm) ?? []);
    assert.ok(lines.length > 0);
    await inPageWorld(pageOf('README.md', ''), ANYTHING, async ({ shell }) => {
      const { code, output } = await shell(['ln -s node_modules/cairn/dist dist', ...lines].join('\n'));
      assert.equal(code, 0, output);
    });
  });

  it('are rejected when a file, a line or a program is invalid', async () => {
    const block = (head: string, text: string) => `\`\`\`${head}\n${text}\n\`\`\`\n`;
    const wrong = [
      block('yaml file=.cairn/agents/flow/graph.yaml', 'name: flow\nstart: a\nnodes:\n  a: { type: ending }'),
      block('yaml file=~/.config/cairn/config.yaml', 'modell: openai:gpt-5'),
      block('json file=.vscode/settings.json', '{ "cairn.modell": "" }'),
      block('json file=.vscode/settings.json', '{ "cairn.idleTimeout": "long" }'),
      block('json file=~/.config/cairn/permissions.json', '{ "rules": [{ "tol": "fs_write", "action": "ask" }] }'),
      block('json file=.mcp.json', '{ "mcpServers": { "notes": { "cmd": "notes" } } }'),
    ];
    for (const text of wrong) await assert.rejects(checkFiles(pageOf('docs/wrong.md', text)), text);
    const program = block('ts', "import { createEngine } from 'cairn';\ncreateEngine({ wrokspace: '.' });");
    assert.match(await compilerProblems(pageOf('docs/wrong.md', program)), /wrokspace/);
  });
});
