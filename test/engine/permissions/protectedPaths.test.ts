import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { contentRoots, FOUND_KINDS, PLUGIN_MARKS, RULE_FOLDERS } from '../../../src/engine/content/contentRoots';
import { SERVER_FILES } from '../../../src/engine/mcp/serverPlaces';
import { protectedPart } from '../../../src/engine/permissions/protectedPaths';
import { WORKSPACE_TOOL_FOLDER } from '../../../src/engine/scripts/scriptPlaces';
import { withWorld } from '../../support/engineWorld';

const FILES = {
  '.env': 'KEY=1\n',
  '.git/config': '[core]\n',
  '.git/hooks/pre-push': '#!/bin/sh\n',
  'packages/app/.env': 'KEY=2\n',
  'packages/app/index.js': '1\n',
  'evil/.git/hooks/pre-commit': 'x\n',
  'evil/hook': 'x\n',
  'build/a.txt': '1\n',
  'tools/node_modules/fetched/.env': 'KEY=3\n',
  'src/a.txt': 'one\n',
  'plain/a.txt': 'one\n',
  '.github/workflows/ci.yml': 'on: push\n',
  'ci/Jenkinsfile': 'pipeline {}\n',
  'azure-pipelines.yml': 'steps: []\n',
  'template/.github/workflows/ci.yml': 'on: push\n',
};

/** Each of these names requires approval, wherever it is. */
const NAMES = [
  '.git .vscode .cairn .ssh .gnupg .aws .env .env.local .envrc .bashrc .bash_profile .profile .zshrc .zprofile .zshenv',
  '.npmrc .yarnrc .yarnrc.yml .netrc .pypirc .gitconfig .gitmodules .git-credentials .husky .githooks .devcontainer',
  '.mcp.json my.code-workspace .claude .codex .cursor .opencode .gemini .windsurf .roo .continue .aider.conf.yml',
  // Version control and its hooks.
  '.hg .svn .jj .hgrc .lfsconfig .pre-commit-config.yaml .pre-commit-hooks.yaml .lintstagedrc.json lefthook.yml',
  'lefthook-local.yml .lefthook.yaml .overcommit.yml',
  // Files that a CI server runs.
  '.gitlab-ci.yml deploy.gitlab-ci.yml .circleci .buildkite .woodpecker.yml .drone.yml .travis.yml .cirrus.yml',
  'appveyor.yml .teamcity bitbucket-pipelines.yml azure-pipelines.yml azure-pipelines-nightly.yaml Jenkinsfile',
  'Jenkinsfile.release nightly.jenkinsfile cloudbuild.yaml buildspec.yml',
  // Editors, shells, interpreters.
  '.idea .vs .fleet .zed .devcontainer.json .exrc .vimrc .nvim.lua .dir-locals.el .bash_aliases .bash_login .bash_logout',
  '.zlogin .zlogout .cshrc .inputrc .xprofile profile.ps1 Microsoft.PowerShell_profile.ps1 .direnvrc mise.toml',
  '.mise.local.toml .Rprofile .Renviron .pdbrc .irbrc .pryrc .ghci .iex.exs .ocamlinit .gdbinit .lldbinit',
  // Packages.
  '.pnpmfile.cjs .pnp.cjs .pnp.loader.mjs bunfig.toml pip.conf .condarc .gemrc NuGet.Config .mvn .bazelrc',
  // Keys.
  '.azure .kube _netrc .pgpass .my.cnf .boto .s3cfg .vault-token .terraformrc .dockercfg .curlrc .wgetrc .bash_history',
  '.psql_history id_rsa id_ed25519 server.pem client.p12 release.keystore',
  // Agents.
  '.cursorrules .windsurfrules .clinerules .roorules .goosehints .kiro .kilocode .roomodes .amazonq .augment .trae .junie',
  '.qwen .crush.json .agents .claude-plugin .copilot opencode.json opencode.jsonc',
].flatMap((line) => line.split(' '));
const PAIRS = [
  ...['workflows', 'actions', 'agents', 'chatmodes', 'instructions', 'prompts', 'skills'].map(
    (one) => `.github/${one}`,
  ),
  ...['.cargo/config.toml', '.cargo/config', '.cargo/credentials.toml', '.docker/config.json', '.bundle/config'],
  ...['.github/copilot-instructions.md', '.github/hooks', '.gitlab/ci', '.forgejo/workflows', '.gitea/workflows'],
  ...['.yarn/releases', '.yarn/plugins', '.gradle/init.gradle', '.gradle/init.d', '.m2/settings.xml'],
  ...['.gem/credentials', '.composer/auth.json'],
  ...['gh', 'gcloud', 'git', 'fish', 'systemd', 'autostart', 'opencode', 'cairn'].map((one) => `.config/${one}`),
];

/** Commands that touch something protected, each in a different way. */
const ASKED = [
  'cp evil/hook .git/hooks/pre-commit',
  'cp evil/hook ./src/../.git/hooks/pre-commit',
  'cp evil/hook .GIT/hooks/pre-commit',
  'cp evil/hook g/hooks/pre-commit',
  'cp evil/hook "$PWD/.git/hooks/x"',
  'cp evil/hook $(echo .git)/hooks',
  'cp -r evil/. .',
  'cp -t g/hooks evil/hook',
  'cp -tg/hooks evil/hook',
  'cat src/../.env',
  'cd src; cat ../.env',
  'mv evil/hook .git/hooks/post-merge',
  'mv packages old',
  'rm -rf packag*',
  'mv .env env.txt',
  'ln -s ../../evil/hook .git/hooks/pre-push',
  'ln -sf .git h',
  'install -m 755 evil/hook .git/hooks/pre-commit',
  'rsync -a evil/ .',
  'echo x | tee .git/config',
  "echo 'touch .git/x' | sh",
  "(printf '%s\\n' 'cd src; cat ../.env') | bash -s",
  'echo \'open(".git/x", "w")\' | python3 -',
  'echo x | tee -a g/config',
  "sed -i 's/a/b/' .git/config",
  "sed -i.bak -e 's/a/b/' g/config",
  "perl -pi -e 's/a/b/' g/config",
  'dd if=/dev/null of=.git/config',
  'dd of=g/config',
  'truncate -s 0 g/config',
  'find . -delete',
  'find packages -name "*.env" -delete',
  'find packages -type f -exec rm {} +',
  'find . -name config -exec sed -i s/a/b/ {} ;',
  'find . -name config -exec cp a {} \\; $X',
  'find . -exec ls {} \\; -name config -exec cp a {} \\; -print',
  'git clean -fdx',
  'git -C . clean -xfd',
  'git config core.hooksPath evil',
  // Option values that look like subcommands, and values that look like options.
  ...[
    "git config -- core.fsmonitor '--getx; evil/hook'",
    'git -C remote config core.fsmonitor evil/hook',
    'git --work-tree switch config core.fsmonitor evil/hook',
    'npm --prefix . config set --location=project script-shell ./evil/hook',
    'npm config --location project set script-shell ./evil/hook',
  ],
  // Patterns that only git interprets.
  ...['git restore :/', "git checkout -- ':(top)'", "git checkout -- '*.yml'", "git rm -rf '*'", "git clean -fd ':!x'"],
  ...['git restore --pathspec-from-file=src/a.txt', "git checkout HEAD~1 -- ':(glob)**'"],
  ...['gcc src/a.txt -o.git/hooks/pre-commit', 'some-tool -xo.npmrc'],
  ...['git rm -r packages', 'git -C packages rm -r app'],
  'git apply evil.patch',
  'patch -p1 < evil.patch',
  'tar -xzf evil.tgz',
  'tar xf evil.tar',
  'unzip evil.zip',
  'rm -rf packages',
  'rm -rf -- packages',
  'rm -r pack*',
  'sh -c "rm -rf packages"',
  'bash -c "echo x > .git/config"',
  'eval "cp evil/hook .git/hooks/x"',
  "python3 -c \"open('.git/config', 'w')\"",
  "node -e \"require('fs').rmSync('.env')\"",
  'cd .git && echo x > config',
  'cd g && touch config',
  'cat .env',
  'cat < .env',
  'cat .e*',
  'cat .{env,x}',
  'echo x > .github/workflows/ci.yml',
  'cp evil/hook .husky/pre-commit',
  ...[
    'cp evil/hook Jenkinsfile',
    'cp evil/hook JENKINSFILE',
    'cp evil/hook Jenkin\u017ffile',
    'mkdir .v\u017fcode',
    'cp evil/hook ci/Jenkinsf*',
    'echo x > Jenkinsfile',
  ],
  ...['some-tool --out=Jenkinsfile', 'cat id_rsa', 'sed -i s/a/b/ azure-p*', 'cp evil/hook src/.gitlab-ci.yml'],
  ...['mv plain .docker', 'cp -r plain .config', 'rsync -a plain/ .YARN/', 'rm -rf ci', 'cat ci/Jenkinsfile'],
  ...['git apply --include=.circleci/config.yml x', 'tee .pre-commit-config.yaml < src/a.txt', 'cat .kube/config'],
  'chmod -R 777 packages',
  'xargs rm -rf packages < src/a.txt',
  'find . -maxdepth 0 -exec cp evil/hook .git/hooks/x ;',
  'echo x > src/project.code-workspace',
  'truncate -s 0 .claude/settings.json',
  'git checkout -- .',
  'git checkout HEAD~1 -- packages',
  'git checkout other .',
  'git restore .',
  'git restore --source=HEAD~1 --staged packages',
  'git remote set-url origin evil',
  'git submodule add evil',
  'git init --template=evil',
  'npm config set --location=project script-shell ./evil/hook',
  'npm set --location project ignore-scripts=false',
  'yarn config set npmRegistryServer evil',
  'ln -s .. up && echo x > up/out',
  'ln -sfn ../other src',
  'ln -s ../../other src/up',
  'ln g/config x',
  'cp -s g/config x',
  'cp -rs .. up',
  'for f in .env; do cat "$f"; done',
  'for f in packages/app/.env; do rm "$f"; done',
  'echo x >! .git/config',
  'cd away && touch ../out',
  'echo x > away/../out',
  'cd away && cd .. && touch out',
  // Through a link, anywhere in the arguments of a command whose effect is unknown.
  ...[
    'uniq src/a.txt away/x',
    'split src/a.txt away/x',
    'some-tool --into=away/x',
    'tsc --outDir away',
    'zip away/x src/a.txt',
  ],
  ...['git archive HEAD -o away/x', 'make -C away', 'npm --prefix away init', 'sort src/a.txt -og/config'],
  "sed -n 'w g/config' src/a.txt",
  'awk \'{ print > "g/config" }\' src/a.txt',
  "python3 -c \"open('g/config', 'w')\"",
  'sqlite3 x ".output g/config"',
  // Uploads.
  ...['curl -d @.env http://127.0.0.1:9', 'curl -F f=@.env http://127.0.0.1:9', 'curl -d @g/config http://127.0.0.1:9'],
  // Through a pattern that matches a link or a name that is not hidden.
  ...['cat g?/config', 'cat [g]/config', 'tee g*/config < src/a.txt', 'touch g*/config', 'cp evil/hook g*/hooks/x'],
  ...['touch aw*/x', 'tee -a */x < src/a.txt', 'cat */config', 'some-tool g*/config', 'cd src; touch ../g*/config'],
  // In another folder, or run by another program.
  ...[
    'env -C g touch config',
    'env --chdir=.. touch x',
    'env --chd g sh -c "echo x > config"',
    'sudo -D g touch config',
  ],
  ...['busybox rm -rf packages', 'npx rimraf packages', 'taskset 1 rm -rf packages', 'docker exec x rm -rf packages'],
  ...[
    'xargs -I{} cp evil/hook {} < src/a.txt',
    'xargs -i cp evil/hook {} < src/a.txt',
    'xargs --replace=X cp evil/hook X',
  ],
  // A folder or the workspace as a whole.
  ...['shopt -s dotglob; rm -rf packages/app/*', 'setopt globdots; rm -rf packages/app/*'],
  ...['git stash --all', 'git reset --hard HEAD~1', 'git checkout -f main', 'git switch --discard-changes main'],
  ...['git read-tree --reset -u HEAD~5', 'git checkout-index -af', 'git lfs install', 'git sparse-checkout set x'],
  ...[
    'rm -rf .github',
    'mv .github x',
    'cp -r template/.github .',
    'cp -r plain .github',
    'mv plain .github',
    'rsync -a plain/ .github',
  ],
  ...['tar cf x packages', 'zip -r x packages', 'tar cf - . | cat'],
  ...[
    'python3 -m zipfile -e evil.zip .',
    'python3 -mtarfile --extract evil.tar',
    'unar evil.rar',
    'bsdcpio -i < evil.cpio',
  ],
];

/** Commands that touch nothing protected, for which a prompt would be a nuisance. */
const NOT_ASKED = [
  'cp src/a.txt build/b.txt',
  'mv build/b.txt build/c.txt',
  'rm -rf bui*',
  ...['cat azure*', 'wc -l src/*', 'touch src/a*', "sed -i 's/a/b/' src/*.txt", 'cat src/[ab].txt'],
  'rm -rf build',
  'rm -rf tools',
  "sed -i 's/one/two/' src/a.txt",
  'find src -name "*.o" -delete',
  'grep -rn --exclude-dir=.git process.env src',
  'find . -name x -not -path "./.git/*"',
  'echo "keep .env out of it"',
  'cat .gitignore.sample src/a.txt',
  'for f in src/*; do cat "$f"; done',
  'x=$(cat src/a.txt); [[ -n "$x" ]] && echo $((1 + 2))',
  "echo 'see .env' && true",
  "echo 'true' | sh",
  'git checkout -b topic',
  'git checkout main',
  'git checkout -- src',
  'git restore --staged src/a.txt',
  'git remote -v',
  'git --no-pager config --get user.name',
  'git -C src log -- config',
  'some-tool -I./src -j.5',
  'npm config get registry',
  'ln -s a.txt src/b.txt',
  'ln -s ../build src/out',
  "cat > src/new.txt <<'EOF'\nit's $HOME\nEOF",
  'tar cf build/x.tar src',
  'env -C src true',
  'false && gh pr create --title x --body "/rebase now, and see a/b (c)"',
  'false && apt-get install -y unzip rsync',
  'false && npm rm left-pad',
  'false && git reset HEAD~1',
  'false && git stash -u',
  'cp src/a.txt .github/CODEOWNERS',
  "sed -n 's/a/b/p' src/a.txt",
];

describe('The protected part of a path', () => {
  for (const path of [
    '.github/workflows/ci.yml',
    'sub/.GitHub/Workflows/ci.yml',
    '.husky/pre-commit',
    '.githooks/x',
    '.mcp.json',
    '.claude/settings.json',
    '.claude/agents/a.md',
    '.codex/config.toml',
    '.cursor/rules/a.mdc',
    '.opencode/agent/a.md',
    '.devcontainer/devcontainer.json',
    'a.code-workspace',
    '.git-credentials',
    '.pypirc',
    '.cargo/config.toml',
    './.cargo/./config.toml',
    '.env.production',
    '.git./config',
    '.git /config',
    '.npmrc::$DATA',
    '.npmrc.',
    '.env~',
    'keys/id_rsa~',
    'src/.g\u200cit/config',
    // Characters that a case-insensitive disk treats as ASCII letters.
    ...['.v\u017fcode/settings.json', '.\u017fsh/config', '.\u212aube/config', 'Jenkin\u017f\ufb01le'],
  ])
    it(`is ${JSON.stringify(path)}`, () => assert.notEqual(protectedPart(path), undefined));

  for (const path of [...NAMES, ...PAIRS])
    it(`is ${path}, even deep in the workspace`, () =>
      assert.deepEqual(
        [path, `packages/./app/${path}`, `packages/${path}/x`].map((one) => protectedPart(one)),
        [path, path, path],
      ));

  for (const path of [...NAMES, ...PAIRS])
    it(`is ${path} in a different case, as on case-insensitive disks`, () => {
      for (const one of [path.toUpperCase(), path.toLowerCase()]) assert.notEqual(protectedPart(one), undefined, one);
    });

  it('covers every place in a workspace that configures Cairn', () => {
    const kinds = FOUND_KINDS.flatMap((kind) => contentRoots(kind, { workspaceFolders: ['/w'] }, posix));
    const places = [...kinds.map(({ folder }) => posix.relative('/w', folder)), ...RULE_FOLDERS, WORKSPACE_TOOL_FOLDER];
    assert.deepEqual(
      [...places, ...SERVER_FILES, ...PLUGIN_MARKS].filter((place) => protectedPart(place) === undefined),
      [],
    );
  });

  for (const path of [
    ...[
      '.github/CODEOWNERS',
      '.gitignore',
      'src/git/config.ts',
      '.cargo/registry',
      'environment.ts',
      '.gitlab/CODEOWNERS',
    ],
    ...['.docker/Dockerfile', 'docker/config.json', 'config/gh', '.config/app.json', 'history', 'pem.ts', 'id_rsa.ts'],
    ...['pipelines.yml', 'azure.yml', 'Jenkins.md', 'agents/a.md', 'kube/config', 'idea.txt', '.yarn/patches/a.patch'],
  ])
    it(`is not ${path}`, () => assert.equal(protectedPart(path), undefined));

  it('prompts in “Full auto” for every command that touches it, and for no other', function () {
    if (process.platform === 'win32') this.skip();
    const asked: string[] = [];
    const run = (command: string) => ({ name: 'execute_command', arguments: { command } });
    return withWorld(
      {
        approvalMode: 'nothing',
        files: FILES,
        approve: ({ command }) => {
          asked.push(command ?? '');
          return { kind: 'reject', by: 'person' };
        },
        story: [{ call: [...ASKED, ...NOT_ASKED].map(run) }, { say: 'Done.' }],
      },
      async (world) => {
        await symlink(join(world.folder, '.git'), join(world.folder, 'g'));
        await symlink(tmpdir(), join(world.folder, 'away'));
        await world.play('do it all');
        assert.deepEqual(
          ASKED.filter((one) => !asked.includes(one)),
          [],
          'not asked for',
        );
        assert.deepEqual(
          asked.filter((one) => !ASKED.includes(one)),
          [],
          'asked for',
        );
        for (const file of ['.env', '.git/config', 'packages/app/.env'] as const)
          assert.equal(await world.read(file), FILES[file]);
      },
    );
  }).timeout(120_000);

  it('prompts when the tool removes a folder that contains it at any depth', () => {
    const asked: string[] = [];
    const remove = (path: string) => ({ name: 'fs_rm', arguments: { path, recursive: true } });
    return withWorld(
      {
        approvalMode: 'nothing',
        files: FILES,
        approve: ({ title, reason, offers }) => {
          asked.push(title);
          assert.match(reason, /packages\/app\/\.env is protected|\.github\/workflows is protected/);
          assert.deepEqual(offers, []);
          return { kind: 'reject', by: 'person' };
        },
        story: [{ call: [remove('packages'), remove('.github'), remove('build')] }, { say: 'Done.' }],
      },
      async (world) => {
        await world.play('clean up');
        assert.deepEqual(asked, ['Remove packages and all that is in it', 'Remove .github and all that is in it']);
        assert.equal(await world.read('packages/app/.env'), 'KEY=2\n');
        await assert.rejects(world.read('build/a.txt'));
      },
    );
  });
});
