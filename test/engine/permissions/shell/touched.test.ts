import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/defaultRuleset';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command } from '../queries';

const rulesets = { global: defaultRuleset('nothing') };

/** In each of these a program writes where it must ask, and says so in another way than the usual one. */
const ASKED = {
  'git in another folder': [
    'git -C ../other checkout -- a',
    'git -C ../other rm a',
    'git -C .. clean -f a',
    'git --work-tree ../other checkout -- a',
    'git --work-tree=../other restore a',
    'git -c core.worktree=../other checkout -- a',
    'GIT_WORK_TREE=../other git checkout -- a',
    'export GIT_WORK_TREE=../other; git checkout -- a',
    'GIT_DIR=../other/x git commit -m x',
    'env GIT_INDEX_FILE=../x git add a',
    'GIT_TRACE=../x git status',
  ],
  'what git puts into a new repository, to run it later': [
    'git -c init.templateDir=x init',
    'git -c INIT.TEMPLATEDIR=x clone a b',
    'git --config-env=init.templateDir=X init',
    'git --config-env init.templateDir=X init',
    'GIT_TEMPLATE_DIR=x git init',
    'env GIT_TEMPLATE_DIR=x git init',
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=init.templatedir GIT_CONFIG_VALUE_0=x git init',
  ],
  'a subcommand of git that is a program, or that only the shell knows': [
    '/usr/lib/git-core/git-config core.fsmonitor x',
    '/usr/lib/git-core/git-clean -fdx',
    'git-config core.fsmonitor x',
    'git conf$1ig core.fsmonitor x',
    'git $1config core.fsmonitor x',
    'git c{onfig,} core.fsmonitor x',
    "git $'config' core.fsmonitor x",
    'git "$@" core.fsmonitor x',
  ],
  'a program that installs what git runs': [
    'pre-commit install',
    'npx husky init',
    'husky',
    'lefthook install',
    'npx simple-git-hooks',
    'git secrets --install',
    'git flow init',
    'taskset 1 git config core.fsmonitor x',
  ],
  'the files beside an answer': [
    ...['-D ../x', '-D../x', '-sD ../x', '--dump-header ../x', '-c ../x', '--cookie-jar=../x', '--trace ../x'],
    ...['--stderr ../x', '--libcurl ../x', '--etag-save ../x', '--hsts ../x', '--output-d ../x -O'],
  ].map((options) => `curl ${options} http://a.b/`),
  'files that others name': [
    ...['-OJ', '-K x', '--config x', "-w '%output{../x}a'", "-o '.#1rc'", '--remote-header-name -O'].map(
      (options) => `curl ${options} 'http://a.b/{npm}'`,
    ),
    ...['-i x', '-r -nH', '-rnH', '-m', '--mirror', '--content-disposition', '--trust-server-names', '--input-f=x'].map(
      (options) => `wget ${options} http://a.b/`,
    ),
    'wget -e output_document=../x http://a.b/',
    'wget --execute=dir_prefix=../x http://a.b/',
  ],
  'a protected name that is put together': [
    'cat {.,}env',
    "cat $'\\x2eenv'",
    'cat .$(echo env)',
    'find -files0-from .env',
  ],
  'a log, or another file beside the work': [
    ...['-o ../x', '-a ../x', '-qo../x', '--output-file=../x', '--append-output ../x', '--save-cookies ../x'].map(
      (options) => `wget ${options} http://a.b/`,
    ),
    'rsync -a --log-file=../x a b',
    'rsync -a --log-file ../x a b',
    'rsync -a --backup-dir=../x a b',
    'rsync --write-batch=../x -a a b',
    'sort --outp=../x a',
    'sort -T ../x a',
    'time -o ../x ls',
    '/usr/bin/time --output=../x ls',
    "sed -i'../*' s/a/b/ a",
    "sed --in-place='x/*' s/a/b/ a",
    "perl -i'../*' -pe s/a/b/ a",
  ],
} as const;

/** Calls of the same programs that nobody would want to be asked about. */
const FREE = [
  'git -C sub status',
  'git -C sub checkout -- a',
  'git -c user.name=x commit -m y',
  'git init',
  'git clone https://a.b/c',
  'GIT_TRACE=1 git status',
  'GIT_CONFIG_GLOBAL=/dev/null git status',
  'npm i -D husky',
  'pre-commit run --all-files',
  'curl -s -o /dev/null -w "%{http_code}" http://a.b/',
  'curl -D - http://a.b/',
  'curl -LO http://a.b/c.tgz',
  'curl --trace-time http://a.b/',
  'wget -qO- http://a.b/',
  'wget -c -nc -nH http://a.b/c',
  'rsync -a --exclude=../x a b',
  "rsync -av --exclude '*.o' a b",
  'sort -t, -k2 -o a a',
  'sed -i.bak s/a/b/ a',
  'time make -o x',
] as const;

describe('what a program touches by its options', () => {
  for (const [kind, lines] of Object.entries(ASKED))
    it(`is asked about in every mode: ${kind}`, () => {
      for (const line of lines) assert.equal(toolPolicy.decide(command(line), rulesets).action, 'ask', line);
    });

  for (const line of FREE)
    it(`is nothing to ask about: ${line}`, () => {
      const { action, reason } = toolPolicy.decide(command(line), rulesets);
      assert.equal(action, 'allow', reason);
    });

  it('is none of a program that is called as something every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      assert.equal(toolPolicy.decide(command(`${name} -x a`), rulesets).action, 'allow', name);
    }
  });
});
