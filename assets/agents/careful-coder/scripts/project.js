// Finds out what kind of project the folder holds, and how it is built and tested. Runs nothing.
const fs = require('node:fs');
const path = require('node:path');
const { say } = require('./state.js');

const has = (name) => fs.existsSync(path.join(process.cwd(), name));
const read = (name) => fs.readFileSync(path.join(process.cwd(), name), 'utf8');
const hasEnding = (ending) => fs.readdirSync(process.cwd()).some((name) => name.endsWith(ending));

function nodeProject() {
  let scripts = {};
  try {
    scripts = JSON.parse(read('package.json')).scripts ?? {};
  } catch {
    // A package.json that cannot be read names no scripts.
  }
  const manager = has('pnpm-lock.yaml') ? 'pnpm' : has('yarn.lock') ? 'yarn' : has('bun.lockb') ? 'bun' : 'npm';
  const run = (name) => (typeof scripts[name] === 'string' ? `${manager} run ${name}` : '');
  const isEmpty = /no test specified/.test(scripts.test ?? '');
  return { kind: 'node', build: run('build') || run('lint') || run('check'), test: isEmpty ? '' : run('test') };
}

function pythonProject() {
  const usesPytest =
    has('pytest.ini') || has('conftest.py') || (has('pyproject.toml') && /pytest/.test(read('pyproject.toml')));
  return { kind: 'python', build: '', test: usesPytest ? 'python3 -m pytest -q' : 'python3 -m unittest discover' };
}

function makeProject() {
  const targets = [...read('Makefile').matchAll(/^([\w-]+)\s*:(?!=)/gm)].map(([, name]) => name);
  const run = (name) => (targets.includes(name) ? `make ${name}` : '');
  return { kind: 'make', build: run('build') || run('all') || 'make', test: run('test') || run('check') };
}

function justProject() {
  const file = has('justfile') ? 'justfile' : 'Justfile';
  const recipes = [...read(file).matchAll(/^@?([\w-]+)(?:[ \t][^:\n]*)?:(?!=)/gm)].map(([, name]) => name);
  const run = (name) => (recipes.includes(name) ? `just ${name}` : '');
  return { kind: 'just', build: run('build') || run('check'), test: run('test') };
}

function rubyProject() {
  const usesRspec = has('.rspec') || has('spec');
  const test = usesRspec ? 'bundle exec rspec' : has('Rakefile') ? 'bundle exec rake test' : '';
  return { kind: 'ruby', build: '', test };
}

function gradleProject() {
  const gradle = has('gradlew') ? './gradlew' : 'gradle';
  return { kind: 'java', build: `${gradle} assemble`, test: `${gradle} test` };
}

const KINDS = [
  [() => has('Cargo.toml'), () => ({ kind: 'rust', build: 'cargo check', test: 'cargo test' })],
  [() => has('go.mod'), () => ({ kind: 'go', build: 'go build ./...', test: 'go test ./...' })],
  [() => has('deno.json') || has('deno.jsonc'), () => ({ kind: 'deno', build: 'deno check .', test: 'deno test' })],
  [() => has('package.json'), nodeProject],
  [
    () => ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'pytest.ini'].some(has) || hasEnding('.py'),
    pythonProject,
  ],
  [() => has('pom.xml'), () => ({ kind: 'java', build: 'mvn -q compile', test: 'mvn -q test' })],
  [() => has('build.gradle') || has('build.gradle.kts'), gradleProject],
  [
    () => hasEnding('.sln') || hasEnding('.csproj'),
    () => ({ kind: 'dotnet', build: 'dotnet build', test: 'dotnet test' }),
  ],
  [
    () => has('CMakeLists.txt'),
    () => ({ kind: 'cmake', build: 'cmake -B build && cmake --build build', test: 'ctest --test-dir build' }),
  ],
  [() => has('Gemfile'), rubyProject],
  [() => has('mix.exs'), () => ({ kind: 'elixir', build: 'mix compile', test: 'mix test' })],
  [
    () => has('composer.json'),
    () => ({ kind: 'php', build: '', test: has('vendor/bin/phpunit') ? 'vendor/bin/phpunit' : '' }),
  ],
  [() => has('Package.swift'), () => ({ kind: 'swift', build: 'swift build', test: 'swift test' })],
  [() => has('build.zig'), () => ({ kind: 'zig', build: 'zig build', test: 'zig build test' })],
  [() => has('justfile') || has('Justfile'), justProject],
  [() => has('Makefile'), makeProject],
];

const [, describe] = KINDS.find(([matches]) => matches()) ?? [
  undefined,
  () => ({ kind: 'unknown', build: '', test: '' }),
];
const { kind, build, test } = describe();
// What the user set counts before what was found.
say({
  project_kind: kind,
  build_command: process.env.BUILD_CMD ?? build,
  test_command: process.env.TEST_CMD ?? test,
});
