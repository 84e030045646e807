/** The harmless ways to call a program or one of its subcommands: those with no effect beyond its purpose. */
export interface HarmlessCall {
  /** Options without a value, separated by blanks; `*` for all. */
  flags?: string;
  /** Options with a value: after `=`, glued to a single letter, or as the next word. */
  valued?: string;
  /** The pattern that every operand must match; any operand will do if missing. */
  operand?: RegExp;
  /** The maximum number of operands. */
  most?: number;
  /** The first operand is a file to run, without which the program runs what it reads. */
  script?: true;
  /** Options are whole words with a single dash, as in find. */
  long?: true;
  /** Each operand names one more thing to run. */
  runsOperands?: true;
  /** It runs what the workspace contains. */
  carries?: true;
  /** It writes, discards or reaches other machines, so a rule is only offered for exactly the same words. */
  exactOnly?: true;
  /** The number of words that identify what is run; by default those of the entry. */
  named?: number;
}

const ANY: HarmlessCall = { flags: '*' };
const TARGET = /^[\w./:@][\w./:@-]*$/;
const GIT_SHOWN =
  '-p -u --patch --stat --shortstat --numstat --name-only --name-status --summary --oneline --decorate --graph --all --branches --tags --remotes -M -C -w -b --word-diff --color --no-color --cached --staged --merge-base --no-merges --merges --first-parent --reverse --follow -z -q --quiet --no-patch -s --raw --full-index --check --exit-code --ignore-all-space --ignore-space-change --abbrev-commit --no-renames --no-ext-diff --no-textconv --text -a -i -E -F -P';
const GIT_CHOSEN =
  '-n --max-count --skip --format --pretty --author --committer --grep --since --until --after --before -S -G -L -U --unified --date --diff-filter --abbrev --color --word-diff --stat --decorate --find-renames';
const NODE_TEST: HarmlessCall = { flags: '-s --silent --if-present -q --quiet', carries: true };
const NODE_RUN: HarmlessCall = { ...NODE_TEST, named: 3 };
const NODE_ADD: HarmlessCall = {
  flags:
    '-D -S -E -O -P --save-dev --save --save-exact --no-save --no-audit --no-fund --silent --legacy-peer-deps --prefer-offline --frozen-lockfile --ignore-scripts --dev --exact',
  exactOnly: true,
};

/**
 * Kept as data: the program, or the program and its subcommand, and the options that only change what is shown or selected. An
 * option that is not listed asks, whoever wrote the rule; a call with listed options only may be offered as a rule.
 */
export const HARMLESS_CALLS: Readonly<Record<string, HarmlessCall>> = {
  ls: ANY,
  cat: ANY,
  head: ANY,
  tail: ANY,
  wc: ANY,
  pwd: ANY,
  echo: ANY,
  true: ANY,
  false: ANY,
  stat: ANY,
  du: ANY,
  df: ANY,
  basename: ANY,
  dirname: ANY,
  realpath: ANY,
  readlink: ANY,
  cut: ANY,
  tr: ANY,
  nl: ANY,
  uname: ANY,
  whoami: ANY,
  id: ANY,
  which: ANY,
  cmp: ANY,
  comm: ANY,
  cd: { most: 1 },
  mkdir: { flags: '-p -v --parents --verbose', exactOnly: true },
  touch: { exactOnly: true },
  cp: {
    flags: '-r -R -a -p -v -n -u -f --recursive --verbose --no-clobber --archive --preserve',
    valued: '-t --target-directory',
    exactOnly: true,
  },
  mv: { flags: '-v -n -u -f --verbose --no-clobber', valued: '-t --target-directory', exactOnly: true },
  uniq: { flags: '-c -d -u -i --count --repeated --unique --ignore-case', valued: '-f -s -w', most: 1 },
  diff: {
    flags: '-u -r -q -N -w -b -B -i -a -y --brief --recursive --color --unified',
    valued: '-U --color --exclude -x --width -W',
  },
  grep: {
    flags:
      '-r -R -n -i -v -l -L -c -o -w -x -E -F -P -G -H -h -q -s -a -I -z -U -NUM --recursive --line-number --ignore-case --invert-match --files-with-matches --count --only-matching --word-regexp --line-regexp --extended-regexp --fixed-strings --perl-regexp --with-filename --no-filename --quiet --color --text',
    valued:
      '-e -m -A -B -C --regexp --max-count --after-context --before-context --context --include --exclude --exclude-dir --color',
  },
  rg: {
    flags:
      '-n -N -i -S -s -v -l -c -o -w -x -F -P -U -u -uu -uuu -H -I -q -p -0 -a -L -z --files --hidden --no-ignore --json --stats --heading --no-heading --multiline --line-number --ignore-case --smart-case --invert-match --files-with-matches --files-without-match --count --count-matches --only-matching --word-regexp --fixed-strings --pcre2 --trim --column --vimgrep --no-messages --follow',
    valued:
      '-e -m -A -B -C -g -t -T -M -d -r --regexp --max-count --after-context --before-context --context --glob --iglob --type --type-not --max-columns --max-depth --sort --sortr --color --colors --replace --threads -j',
  },
  sort: {
    flags:
      '-n -r -u -f -h -V -g -M -R -b -d -i -s -z -c -C -m --numeric-sort --reverse --unique --ignore-case --human-numeric-sort --version-sort --stable --check',
    valued: '-k -t --key --field-separator',
  },
  sed: { flags: '-n -E -r -s -u -z --quiet --silent --regexp-extended --posix', valued: '-e --expression' },
  awk: { valued: '-F -v' },
  find: {
    long: true,
    flags:
      '-print -print0 -not -a -o -and -or -empty -depth -xdev -mount -prune -daystart -readable -writable -executable -ls -quit -L -H -P -true -false',
    valued:
      '-name -iname -path -ipath -wholename -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -maxdepth -mindepth -regex -iregex -regextype -perm -user -group -links -inum -printf',
  },
  tar: {
    flags: '-c -t -v -z -j -J -p --create --list --verbose --gzip --bzip2 --xz',
    valued: '-f --file --exclude -C --directory',
    exactOnly: true,
  },
  zip: { flags: '-r -q -v -j -9 -1', valued: '-x -i', exactOnly: true },
  make: {
    flags: '-s -k -j -B -n -i --silent --keep-going --always-make --dry-run',
    valued: '-j --jobs',
    operand: TARGET,
    runsOperands: true,
    carries: true,
    named: 2,
  },
  split: { flags: '-d -x -e', valued: '-l -n -b -C -a --lines --bytes --number --suffix-length', exactOnly: true },
  printf: { operand: /^(?!-v)/ },
  curl: {
    flags:
      '-s -S -f -L -I -v -g -k -4 -6 --silent --show-error --fail --location --head --verbose --compressed --insecure --ipv4 --ipv6',
    valued: '-m -A -H -w --max-time --connect-timeout --retry --retry-delay --user-agent --header --write-out',
    // curl expands such brackets before it looks at what the address begins with.
    operand: /^(?!(?!https?:)[a-z][a-z+.-]*:(?!\d))(?![^/?]*[[{])[^@]*$/i,
    exactOnly: true,
  },
  wget: { flags: '-q -nv --quiet --spider --no-verbose', valued: '-T -t --timeout --tries', exactOnly: true },
  node: {
    flags: '--test --enable-source-maps --no-warnings --trace-warnings --test-only -v --version',
    valued: '--test-name-pattern --test-reporter --max-old-space-size',
    script: true,
    carries: true,
  },
  tsx: { flags: '--test', script: true, carries: true },
  python: { flags: '-u -B -O -OO -q -s -S -E -I -V --version', valued: '-W -X -m', script: true, carries: true },
  ruby: { flags: '-w -v --version', script: true, carries: true },
  perl: { flags: '-w -v', script: true, carries: true },
  bash: { script: true, carries: true },
  'npm test': NODE_TEST,
  'npm run': NODE_RUN,
  'npm ci': { flags: '--ignore-scripts --no-audit --no-fund --prefer-offline --silent', most: 0, carries: true },
  'npm install': NODE_ADD,
  'npm ls': { flags: '--all --json --long --depth -a', valued: '--depth' },
  'npm outdated': { flags: '--json --long --all' },
  'npm view': { flags: '--json' },
  'pnpm test': NODE_TEST,
  'pnpm run': NODE_RUN,
  'yarn test': NODE_TEST,
  'yarn run': NODE_RUN,
  'git status': {
    flags: '-s -b -u -uno -uall -z --short --branch --porcelain --ignored --untracked-files --long --show-stash',
    valued: '--porcelain --untracked-files --ignored',
  },
  'git log': { flags: `${GIT_SHOWN} -NUM`, valued: GIT_CHOSEN },
  'git diff': { flags: GIT_SHOWN, valued: GIT_CHOSEN },
  'git show': { flags: GIT_SHOWN, valued: GIT_CHOSEN },
  'git shortlog': { flags: '-s -n -e -sn -sne --summary --numbered --email --all', valued: '--since --until' },
  'git blame': { flags: '-w -M -C -s -e -p --porcelain --line-porcelain --show-email --root', valued: '-L --since' },
  'git grep': {
    flags:
      '-n -i -l -L -c -w -E -F -P -v -h -H -q --cached --untracked --line-number --ignore-case --name-only --files-with-matches --count --word-regexp --extended-regexp --fixed-strings --heading --break',
    valued: '-e -A -B -C -m --max-count',
  },
  'git ls-files': {
    flags:
      '-c -d -m -o -s -z -i -t --cached --deleted --modified --others --stage --ignored --exclude-standard --full-name',
    valued: '-x --exclude',
  },
  'git rev-parse': {
    flags: '--show-toplevel --abbrev-ref --short --verify --git-dir --is-inside-work-tree --show-prefix -q --quiet',
    valued: '--short --abbrev-ref',
  },
  'git describe': { flags: '--tags --always --dirty --long --all --exact-match', valued: '--match --abbrev' },
  'git branch': {
    flags: '-a -r -v -vv -l --all --remotes --list --show-current --verbose --no-color',
    valued: '--contains --merged --no-merged --sort --format --points-at -u --set-upstream-to',
  },
  'git tag': { flags: '-l -n -a --list --annotate', valued: '-m --message --sort --contains --points-at --format' },
  'git add': { flags: '-A -u -v -n -N --all --update --verbose --dry-run --intent-to-add' },
  'git commit': {
    flags: '-a -q -v -s --all --quiet --verbose --signoff --amend --no-edit --allow-empty --dry-run --no-gpg-sign',
    valued: '-m --message --author --date --fixup --squash',
  },
  'git stash': {
    flags: '-u -k -q -p --include-untracked --keep-index --quiet --stat --patch',
    valued: '-m --message',
    exactOnly: true,
  },
  'git switch': { flags: '-c -q --create --quiet --detach -', valued: '-c --create', exactOnly: true },
  'git checkout': { flags: '-b -q --quiet --detach --track -t', valued: '-b', exactOnly: true },
  'git merge': {
    flags: '--no-ff --ff-only --ff --no-edit --squash --abort --continue --no-commit -q --quiet --stat',
    valued: '-m',
    exactOnly: true,
  },
  'git pull': {
    flags: '--rebase --ff-only --no-rebase --no-edit -q -v --quiet --verbose --tags --prune -p --all',
    exactOnly: true,
  },
  'git fetch': {
    flags: '-a -p -t -q -v -n --all --prune --tags --no-tags --quiet --verbose --dry-run --unshallow',
    valued: '--depth -j --jobs',
    exactOnly: true,
  },
  'git push': {
    flags: '-u -q -v -n --set-upstream --quiet --verbose --dry-run --tags --follow-tags --all --atomic --porcelain',
    exactOnly: true,
  },
  'git rebase': {
    flags: '--continue --abort --skip --quit -q -v --quiet --verbose --autosquash --no-autosquash --autostash',
    valued: '--onto',
    exactOnly: true,
  },
  'git reset': { flags: '--soft --mixed -q --quiet -N', exactOnly: true },
  'git cherry-pick': {
    flags: '-n -x -s --no-commit --continue --abort --skip --quit --signoff',
    valued: '-m',
    exactOnly: true,
  },
  'git remote': { flags: '-v --verbose', most: 0 },
  'cargo build': {
    flags:
      '-r -q -v --release --all-targets --all-features --no-default-features --workspace --quiet --verbose --locked --offline --lib --bins --tests',
    valued: '-p -j -F --package --features --bin --example --target --jobs',
    carries: true,
  },
  'go build': { long: true, flags: '-v -race -x -n -a -trimpath', valued: '-o -tags -p', carries: true },
  'go test': {
    long: true,
    flags: '-v -race -short -cover -failfast -json -count=1',
    valued: '-run -count -timeout -bench -tags -p -parallel',
    carries: true,
  },
  'go vet': { long: true, flags: '-v', valued: '-tags', carries: true },
  tsc: {
    operand: /^[^@]/,
    flags: '--noEmit --watch --build --pretty -b -w --version -v',
    valued: '-p --project',
    carries: true,
  },
  eslint: { flags: '--quiet --no-color --color --cache', valued: '--ext --max-warnings', carries: true },
  prettier: { flags: '--check -c -l --list-different --no-color', carries: true },
  vitest: { flags: '--run --watch=false --no-color --silent', valued: '-t --testNamePattern', carries: true },
  jest: {
    flags: '--ci --silent --verbose --no-color --runInBand -i --bail',
    valued: '-t --testNamePattern --maxWorkers',
    carries: true,
  },
  pytest: {
    flags: '-q -v -vv -s -x -l -ra --lf --ff --quiet --verbose --exitfirst --no-header --collect-only',
    valued: '-k -m --maxfail --tb --durations',
    carries: true,
  },
};

/** Other programs that the same applies to. */
export const SAME_CALLS: Readonly<Record<string, string>> = {
  egrep: 'grep',
  fgrep: 'grep',
  ggrep: 'grep',
  ripgrep: 'rg',
  gsort: 'sort',
  gsed: 'sed',
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
  gfind: 'find',
  gtar: 'tar',
  bsdtar: 'tar',
  gmake: 'make',
  nodejs: 'node',
  'ts-node': 'tsx',
  python2: 'python',
  python3: 'python',
  py: 'python',
  pypy: 'python',
  pypy3: 'python',
  sh: 'bash',
  dash: 'bash',
  zsh: 'bash',
  ksh: 'bash',
  ash: 'bash',
  'cargo test': 'cargo build',
  'cargo check': 'cargo build',
  'cargo clippy': 'cargo build',
  'cargo run': 'cargo build',
  'npm t': 'npm test',
  'npm list': 'npm ls',
  'npm i': 'npm install',
  'npm add': 'npm install',
  'pnpm add': 'npm install',
  'pnpm install': 'npm install',
  'yarn add': 'npm install',
  'yarn install': 'npm install',
  'npm run-script': 'npm run',
};
