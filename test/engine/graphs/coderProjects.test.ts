import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ASSETS_FOLDER } from '../../support/assetsFolder';
import { temporaryFolder } from '../../node/temporaryFolder';

const SCRIPT = join(ASSETS_FOLDER, 'agents/careful-coder/scripts/project.js');
const NODE = '{ "scripts": { "build": "tsc", "test": "node --test" } }';

/** The files of a project, and what is detected: its kind, build command, and test command. */
const PROJECTS: readonly (readonly [Readonly<Record<string, string>>, string, string, string])[] = [
  [{ 'Cargo.toml': '' }, 'rust', 'cargo check', 'cargo test'],
  [{ 'go.mod': '' }, 'go', 'go build ./...', 'go test ./...'],
  [{ 'deno.json': '{}', 'package.json': NODE }, 'deno', 'deno check .', 'deno test'],
  [{ 'package.json': NODE }, 'node', 'npm run build', 'npm run test'],
  [{ 'package.json': NODE, 'pnpm-lock.yaml': '' }, 'node', 'pnpm run build', 'pnpm run test'],
  [{ 'package.json': '{ "scripts": { "lint": "x", "test": "echo no test specified" } }' }, 'node', 'npm run lint', ''],
  [{ 'package.json': '{ broken' }, 'node', '', ''],
  [{ 'pyproject.toml': '[tool.pytest.ini_options]' }, 'python', '', 'python3 -m pytest -q'],
  [{ 'a.py': '' }, 'python', '', 'python3 -m unittest discover'],
  [{ 'pom.xml': '' }, 'java', 'mvn -q compile', 'mvn -q test'],
  [{ 'build.gradle.kts': '' }, 'java', 'gradle assemble', 'gradle test'],
  [{ 'build.gradle': '', gradlew: '' }, 'java', './gradlew assemble', './gradlew test'],
  [{ 'A.csproj': '' }, 'dotnet', 'dotnet build', 'dotnet test'],
  [{ 'CMakeLists.txt': '' }, 'cmake', 'cmake -B build && cmake --build build', 'ctest --test-dir build'],
  [{ Gemfile: '', 'spec/a_spec.rb': '' }, 'ruby', '', 'bundle exec rspec'],
  [{ Gemfile: '', Rakefile: '' }, 'ruby', '', 'bundle exec rake test'],
  [{ Gemfile: '' }, 'ruby', '', ''],
  [{ 'mix.exs': '' }, 'elixir', 'mix compile', 'mix test'],
  [{ 'composer.json': '{}', 'vendor/bin/phpunit': '' }, 'php', '', 'vendor/bin/phpunit'],
  [{ 'composer.json': '{}' }, 'php', '', ''],
  [{ 'Package.swift': '' }, 'swift', 'swift build', 'swift test'],
  [{ 'build.zig': '' }, 'zig', 'zig build', 'zig build test'],
  [
    { justfile: 'set shell := ["sh"]\nbuild target="all":\n  cc\n@test: build\n  ./t\n' },
    'just',
    'just build',
    'just test',
  ],
  [{ Justfile: 'run:\n  ./a\n' }, 'just', '', ''],
  [{ Makefile: 'CC := gcc\nall: a\ncheck: all\n' }, 'make', 'make all', 'make check'],
  [{ Makefile: 'a: a.c\n' }, 'make', 'make', ''],
  [{ 'notes.md': '' }, 'unknown', '', ''],
];

async function found(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder();
  try {
    await folder.write(files);
    // Ignores these variables of the environment in which the tests run.
    const none = { BUILD_CMD: undefined, TEST_CMD: undefined };
    const options = {
      cwd: folder.path,
      env: { ...process.env, ...none, GRAPH_STATE: '{}', ...env },
      encoding: 'utf8',
    } as const;
    const said: unknown = JSON.parse(execFileSync(process.execPath, [SCRIPT], options));
    return said;
  } finally {
    await folder.remove();
  }
}

describe('The project kinds known to careful-coder', () => {
  for (const [files, kind, build, test] of PROJECTS)
    it(`${kind}: ${Object.keys(files).join(', ')}`, async () => {
      assert.deepEqual(await found(files), { project_kind: kind, build_command: build, test_command: test });
    });

  it('can be set by the user instead of detected, including no build', async () => {
    const said = await found({ 'go.mod': '' }, { BUILD_CMD: '', TEST_CMD: './check' });
    assert.deepEqual(said, { project_kind: 'go', build_command: '', test_command: './check' });
  });
});
