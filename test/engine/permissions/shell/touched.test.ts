import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { withWorld } from '../../../support/engineWorld';
import { command } from '../queries';

const rulesets = { global: defaultRuleset('nothing') };

/** In each of these, a program writes to a place that requires approval, expressed in an unusual way. */
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
  'a template that git copies into a new repository': [
    'git -c init.templateDir=x init',
    'git -c INIT.TEMPLATEDIR=x clone a b',
    'git --config-env=init.templateDir=X init',
    'git --config-env init.templateDir=X init',
    'GIT_TEMPLATE_DIR=x git init',
    'env GIT_TEMPLATE_DIR=x git init',
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=init.templatedir GIT_CONFIG_VALUE_0=x git init',
  ],
  'a git subcommand that is a program or is made by an expansion': [
    '/usr/lib/git-core/git-config core.fsmonitor x',
    '/usr/lib/git-core/git-clean -fdx',
    'git-config core.fsmonitor x',
    'git conf$1ig core.fsmonitor x',
    'git $1config core.fsmonitor x',
    'git c{onfig,} core.fsmonitor x',
    "git $'config' core.fsmonitor x",
    'git "$@" core.fsmonitor x',
  ],
  'a program that configures what git runs': [
    'pre-commit install',
    'npx husky init',
    'husky',
    'lefthook install',
    'npx simple-git-hooks',
    'git secrets --install',
    'git flow init',
    'taskset 1 git config core.fsmonitor x',
  ],
  'a file written alongside a download': [
    ...['-D ../x', '-D../x', '-sD ../x', '--dump-header ../x', '-c ../x', '--cookie-jar=../x', '--trace ../x'],
    ...['--stderr ../x', '--libcurl ../x', '--etag-save ../x', '--hsts ../x', '--output-d ../x -O'],
  ].map((options) => `curl ${options} http://a.b/`),
  'a download whose file name comes from elsewhere': [
    ...['-OJ', '-K x', '--config x', "-w '%output{../x}a'", "-o '.#1rc'", '--remote-header-name -O'].map(
      (options) => `curl ${options} 'http://a.b/{npm}'`,
    ),
    ...['-i x', '-r -nH', '-rnH', '-m', '--mirror', '--content-disposition', '--trust-server-names', '--input-f=x'].map(
      (options) => `wget ${options} http://a.b/`,
    ),
    'wget -e output_document=../x http://a.b/',
    'wget --execute=dir_prefix=../x http://a.b/',
  ],
  'a protected name in an unusual form': [
    'cat {.,}env',
    "cat $'\\x2eenv'",
    'cat .$(echo env)',
    'find -files0-from .env',
  ],
  'a log, backup or other extra file': [
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
  'an option with a shell line': [
    ...["-c core.pager='touch ../x' log", "-c core.sshCommand='touch ../x' fetch", "-c alias.x='!touch ../x' x"],
    ...["-c credential.helper='!touch ../x' fetch", "grep -O'touch ../x' a", "grep --open-f='touch ../x' a"],
    ...["fetch --upload-p 'touch ../x' a", "push --exec='touch ../x' a", "difftool -x 'touch ../x'"],
    "filter-branch --tree-filter 'touch ../x'",
  ]
    .map((call) => `git ${call}`)
    .concat([
      ...[
        'tar cf a -I \'sh -c "touch ../x"\' b',
        "tar --use-c='touch ../x' -cf a b",
        "tar --rsh-comm='touch ../x' -cf h:a b",
      ],
      ...["tar cf a --checkpoint=1 --checkpoint-action=exec='touch ../x' b", "sort --comp='touch ../x' a"],
      ...["ssh -o ProxyCommand='touch ../x' h", "ssh -oProxyCommand='touch ../x' h", "scp -S 'touch ../x' a h:b"],
      ...[
        'rsync -e \'sh -c "touch ../x"\' a h:b',
        "rsync --rsh='touch ../x' a h:b",
        "split -b1 --filter='touch ../x' a",
      ],
      ...['make SHELL=\'sh -c "touch ../x"\'', "make --eval='x: ; touch ../x'", "make -E 'x: ; touch ../x'"],
      ...["zip a b -TT 'touch ../x'", "rg --pre 'touch ../x' a", "man -P 'touch ../x' ls", "less +'!touch ../x' a"],
      ...["fzf --bind 'enter:execute(touch ../x)'", "socat - SYSTEM:'touch ../x'", "ncat --sh-exec 'touch ../x' h 1"],
      ...["yt-dlp --exec 'touch ../x' http://a/", "gh alias set x '!touch ../x'", "expect -c 'spawn touch ../x'"],
      ...["env --split='touch ../x'", "env --sp 'touch ../x'", "mapfile -C 'touch ../x' -c 1 a <<< b"],
      ...["complete -C 'touch ../x' x", "compgen -C 'touch ../x'", 'bind -x \'"a":touch ../x\'', "fc -e 'touch ../x'"],
    ]),
  'a variable with a shell line': [
    ...['GIT_SSH_COMMAND', 'GIT_EDITOR', 'PAGER', 'LESSOPEN', 'RUSTC_WRAPPER', 'CC', 'RSYNC_RSH', 'PROMPT_COMMAND'].map(
      (name) => `${name}='touch ../x' make`,
    ),
    "LESSOPEN='|touch ../x %s'; export LESSOPEN; less a",
    "export PROMPT_COMMAND='touch ../x'; bash -i",
    "MAKEFLAGS='--eval=x:;touch ../x' make",
    "PS4='$(touch ../x)' bash -xc ls",
    "PS4='`touch ../x`'; set -x; ls",
    "alias ls='touch ../x'\nls",
  ],
  'a variable that names a file to load or a configuration folder': [
    ...[
      'BASH_ENV=../x',
      'ENV=../x',
      'ZDOTDIR=..',
      'HOME=/tmp/x',
      'XDG_CONFIG_HOME=..',
      'GIT_SSH=../x',
      'LD_PRELOAD=../x',
    ].map((set) => `${set} npm test`),
    'export HOME=/tmp/x; npm ci',
    'env GIT_CONFIG_GLOBAL=../x git status',
    'NODE_OPTIONS=--require=../x npm test',
    "NODE_OPTIONS='--require ../x' node a.js",
    'RUBYOPT=-r../x ruby a.rb',
  ],
  'a substitution that a builtin expands again': [
    ...["x='a[$(touch ../x)]'; echo $((x))", "x='$(touch ../x)'; echo ${x@P}", "[[ -v 'a[$(touch ../x)]' ]]"],
    ...["test -v 'a[$(touch ../x)]'", "printf -v 'a[`touch ../x`]' x", "read 'a[$(touch ../x)]' <<< 1"],
    ...["declare -n r='a[$(touch ../x)]'; r=1", "declare -i x='a[$(touch ../x)]'", "let 'a[$(touch ../x)]=1'"],
    ...["unset 'a[$(touch ../x)]'", "wait -p 'a[$(touch ../x)]'", "print -P '$(touch ../x)'"],
  ],
  'a script for an interpreter or editor': [
    ...['print "x" > "../x"', 'print "x" >> "/tmp/x"', 'system("touch ../x")', 'print "x" |& "touch ../x"'].map(
      (text) => `awk 'BEGIN { ${text} }'`,
    ),
    ...[
      'awk -f - <<< \'BEGIN { print > "../x" }\'',
      "awk -v f=../x '{ print > f }' a",
      'awk \'{ print > "../" $1 }\' a',
    ],
    ...["sed 'w ../x' a", "sed -n 's/a/b/w ../x' a", "sed -e 'w/tmp/x' a", "sed '1e touch ../x' a"],
    ...["ed -s a <<< 'w ../x'", "vim -c 'w ../x' -c q a", "vim +'w! ../x' +q a", "sqlite3 a '.backup ../x'"],
    ...["sqlite3 a '.shell touch ../x'", "psql -c '\\! touch ../x'", "gdb -batch -ex 'shell touch ../x'"],
    ...["dc <<< '!touch ../x'", "m4 <<< 'syscmd(touch ../x)'", "make -f - <<< 'x: ; touch ../x'"],
    ...[`python3 -c 'open("../x","w")'`, `python3 <<E\nopen("../x", "w")\nE`, `perl -e 'open F, ">../x"'`],
    ...[`node -e 'fs.writeFileSync("/tmp/x", "")'`, `python3 -c 'import os; os.system("touch ../x")'`],
    ...[`php -r 'file_put_contents("../x", "")'`, `php -r 'touch("../x");'`, `julia -e 'touch("../x")'`],
    ...[`X=../x python3 -c 'open(os.environ["X"], "w")'`, `env X=../x awk 'BEGIN { print > ENVIRON["X"] }'`],
  ],
  'a script passed to a shell by other means': [
    'bash -s -- a <<E\ntouch ../x\nE',
    'tee a <<E | bash\ntouch ../x\nE',
    "source <(echo 'touch ../x')",
    'bash <(echo touch ../x)',
    "echo 'touch ../x' | at now",
    "echo a | xargs -I{} sh -c 'touch ../{}'",
    'echo ../x | parallel touch',
    'parallel -a list rm',
  ],
  'an abbreviated option, or a path inside an argument': [
    ...['sort --ou ../x a', 'sort --o ../x a', 'tar --ge -f a.tar', 'rsync --remove-source-files ../a b'],
    ...[
      'docker run -v ..:/x a',
      'docker run -v $HOME:/x a',
      'docker run --mount type=bind,src=/,dst=/x a',
      'make DESTDIR=/x install',
    ],
    ...['make SHELL=../x', 'pip config set global.x y', 'go env -w GOPROXY=x'],
  ],
} as const;

/** Calls of the same programs that should not cause a prompt. */
const FREE = [
  'docker run -v $PWD:/x a',
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
  ...[`git commit -m 'Use "rm ../x" with care; see > /tmp/a'`, "git -c core.pager='less -R' log", 'make CC=clang'],
  ...["git rebase --exec 'npm test' main", "GIT_SSH_COMMAND='ssh -i key -o A=no' git fetch", "PAGER='less -R' git log"],
  ...[
    "CC='ccache gcc' make",
    'HOME=home npm ci',
    'PATH=/usr/local/bin:$PATH make',
    'NODE_OPTIONS=--max-old-space-size=1 npm test',
  ],
  ...["ssh host 'ls > /tmp/x'", "rsync -e 'ssh -p 2' -a src/ h:/srv/x", "docker run --rm a sh -c 'echo > /tmp/x'"],
  ...[
    'docker exec -e HOME=/root x ls',
    "rg --pre 'pdftotext' a",
    "nodemon --exec 'npm test'",
    "fzf --preview 'cat {}'",
  ],
  ...["sed 's|/usr/local|/opt|g' a", "sed -n '/a/w b' a", "vim -c '%s#/usr#/opt#g' -c wq a", "ed -s a <<< 'w'"],
  ...[`awk -F: '{ print $1 > "out.txt" }' a`, `awk '{ print > "/dev/stderr" }' a`, "awk -v d=src '{ print d > d }' a"],
  ...[`node -e 'a.map((x) => /b/.test(x) > 1)'`, `python3 -c 'print(open("/etc/hosts").read())'`],
  `DATA=/data python3 -c 'json.dump({}, open("a", "w"))'`,
  ...[`python3 -c 'json.dump({}, open("a", "w"))'`, `psql -c 'select * from a where b > 1'`, "sqlite3 a '.tables'"],
  ...["alias g='git status'", "trap 'rm -f build/x' EXIT", 'parallel gzip ::: a b', "ls | xargs -I{} sh -c 'wc {}'"],
  ...['pip config list', 'go env GOPATH', 'bash <(echo ls)', "x='a[1]'; echo $((x))"],
] as const;

/** For cmd and PowerShell. */
const ASKED_ON_WINDOWS = [
  ...['copy a ../x', 'copy /y a %TEMP%\\x', 'copy a $env:TEMP\\x', 'copy a .git\\hooks\\x', 'cpi a ../x'],
  ...['move a ../x', 'move ../x a', 'mi a ../x', 'ren .env a', 'Rename-Item a .env', 'rni $x a', 'move a %X%'],
  ...[
    'robocopy a ../b',
    'robocopy a . /MIR',
    'robocopy /PURGE a .',
    'xcopy /s template .github',
    'robocopy %X% a /MOVE /E',
  ],
  ...[
    'mklink a ../b',
    'mklink /D a %X%',
    'md $x',
    'ni $x',
    'New-Item -Path:../x',
    'attrib +h $x',
    'icacls %X% /grant a',
  ],
  ...['del %X%', 'erase ../x', 'rd /s /q ..', 'rmdir /s /q .', 'ri $x', 'Remove-Item -LiteralPath:../x', 'clc %X%'],
  ...[
    'Set-Content -Path:../x',
    'sc $x y',
    'ac .env y',
    'Out-File -FilePath $x',
    'Tee-Object $x',
    'Export-Csv $x',
    'si $x y',
  ],
  ...[
    'Copy-Item a -Dest:../x',
    'Copy-Item -Destination $x -Path a',
    'Move-Item a -Destination:$x',
    'gc a | Out-File ../x',
  ],
  ...[
    'iwr http://a.b/ -OutFile $x',
    'wget http://a.b/ -outf ../x',
    'curl.exe -o ../x http://a.b/',
    'irm http://a.b/ -OutFile:../x',
  ],
  ...['certutil -urlcache -f http://a.b/ ../x', 'certutil -decode a %X%', 'bitsadmin /transfer j http://a.b/ $x'],
  ...[
    'powershell -c "Remove-Item ../x"',
    'powershell.exe -NoProfile -Command Set-Content ../x y',
    'pwsh -co "del ../x"',
  ],
  ...[
    'powershell -enc ZABlAGwAIAAuAC4ALwB4AA==',
    'powershell -c "Set-Content ../x $y"',
    'cmd /c del ../x',
    'cmd /K "copy a ../x"',
  ],
  ...['Invoke-Expression "del ../x"', "Start-Process -FilePath cmd -ArgumentList '/c del ../x'", 'iex "del ../x"'],
  ...['start /b cmd /c del ../x', 'forfiles /c "cmd /c del ../x"', 'Invoke-Command -ScriptBlock { del ../x }'],
  ...[
    '[IO.File]::WriteAllText("../x", "y")',
    "[System.IO.File]::AppendAllText($x, 'y')",
    '[IO.Directory]::Delete("../x")',
  ],
  ...['[IO.File]::Copy("a", "../x")', '(New-Object Net.WebClient).DownloadFile("http://a.b/", "../x")'],
  ...['Start-BitsTransfer http://a.b/ $x', 'Expand-Archive a.zip', 'tar -xf a.tar', 'cd ..; del x', 'echo x > ../y'],
];

const FREE_ON_WINDOWS = [
  ...[
    'copy a.txt b.txt',
    'copy /y a.txt build\\',
    'xcopy /s /i src build\\src',
    'robocopy src build\\src /E',
    'move a.txt build\\',
  ],
  ...[
    'ren a.txt b.txt',
    'Copy-Item -Recurse src build',
    'Copy-Item -Path a -Destination b',
    'Move-Item a.txt b.txt',
    'mv a b',
  ],
  ...['del /q build', 'rmdir /s /q build', 'Remove-Item -Recurse -Force build', 'ri build', 'md build\\x', 'ni a.txt'],
  ...['Set-Content a.txt hello', 'Set-Content -Path a.txt -Value hello', 'Out-File a.txt', 'gc a.txt | Out-File b.txt'],
  ...[
    'New-Item -ItemType Directory build',
    'iwr http://a.b/ -OutFile a.zip',
    'curl.exe https://a.b/',
    'certutil -hashfile a.zip SHA256',
  ],
  ...[
    'powershell -c "Get-ChildItem src"',
    'powershell -File build.ps1',
    'cmd /c npm test',
    'Start-Process notepad a.txt',
  ],
  ...['[IO.File]::WriteAllText("a.txt", "y")', '[IO.File]::ReadAllText("../x")', '"a.b".Replace("../", "x")'],
  ...['dir /b', 'type a.txt', 'Get-ChildItem src', 'npm test', 'git status', 'findstr /s x *.ts', 'where node'],
];

describe('A file that a program touches through its options', () => {
  for (const [kind, lines] of Object.entries(ASKED))
    it(`asks in every mode: ${kind}`, () => {
      for (const line of lines) assert.equal(toolPolicy.decide(command(line), rulesets).action, 'ask', line);
    });

  for (const line of FREE)
    it(`needs no approval: ${line}`, () => {
      const { action, reason } = toolPolicy.decide(command(line), rulesets);
      assert.equal(action, 'allow', reason);
    });

  it('asks if a pattern matches a file whose name is an option', () => {
    const asking = ['sort *', 'cd src; sort *', 'rsync -a ?w b', 'cp [!x]* b', 'sort -*'];
    const free = ['sort *.txt', 'sort -- *', 'sort ./*', 'sort src/*', 'ls *', 'cat *'];
    const asked: string[] = [];
    return withWorld(
      {
        approvalMode: 'nothing',
        files: { '-w': 'x', 'src/-o.npmrc': 'x' },
        approve: ({ command: line, reason }) => {
          asked.push(line ?? '');
          assert.match(reason, /whose name the command would take for an option/);
          return { kind: 'reject', by: 'person' };
        },
        story: [
          { call: [...asking, ...free].map((line) => ({ name: 'execute_command', arguments: { command: line } })) },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        await world.play('sort it all');
        assert.deepEqual(asked.toSorted(), asking.toSorted());
      },
    );
  });

  it('is not assumed for programs named after object properties', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      assert.equal(toolPolicy.decide(command(`${name} -x a`), rulesets).action, 'allow', name);
    }
  });

  it('asks on Windows as well', () => {
    for (const line of ASKED_ON_WINDOWS)
      assert.equal(toolPolicy.decide(command(line, 'windows'), rulesets).action, 'ask', line);
  });

  it('needs no approval on Windows where it is ordinary work', () => {
    for (const line of FREE_ON_WINDOWS) {
      const { action, reason } = toolPolicy.decide(command(line, 'windows'), rulesets);
      assert.equal(action, 'allow', `${line}: ${reason}`);
    }
  });
});
