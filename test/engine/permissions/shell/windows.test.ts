import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command, commandRule } from '../queries';

const global = defaultRuleset('nothing');
const decide = (line: string) => toolPolicy.decide(command(line, 'windows'), { global });
const denied = (line: string) =>
  toolPolicy.decide(command(line, 'windows'), { user: [commandRule('git push', 'deny')], global }).action;

/** The denied command, as cmd reads it. */
const FOR_CMD: readonly string[] = [
  ...['git;push', 'git,push', 'git=push', 'git.exe;push', '@git;push', 'git;push;origin', '(git;push)'],
  ...['git ;push', 'git ;,= push', 'git; push', '"git";push', '"git",push'],
  ...['call git;push', 'start git,push', 'cmd /c git;push', 'cmd /c "git;push"', 'if 1==1 git;push'],
  ...['git push> a.bat', 'git push>a', 'git push>nul', 'git push<nul', '>a git push', '2>nul git push', 'git,push>a'],
  ...['for %i in (1) do git;push', 'for %i in (1) do @git push', 'echo git push> a.bat && a.bat'],
];

/** The same, started by a method of .NET or of Windows. */
const BY_METHODS: readonly string[] = [
  ...['Diagnostics', 'System.Diagnostics'].map((space) => `[${space}.Process]::Start('git','push')`),
  '[Diagnostics.Process]::Start("git", "push").WaitForExit()',
  "[scriptblock]::Create('g'+'it push').Invoke()",
  "& ([scriptblock]::Create('git push'))",
  "$ExecutionContext.InvokeCommand.InvokeScript('gi'+'t pu'+'sh')",
  "[powershell]::Create().AddScript('git push').Invoke()",
  "[powershell]::Create().AddCommand('git').AddArgument('push').Invoke()",
  "(New-Object -ComObject WScript.Shell).Run('git push')",
  "(New-Object -com Shell.Application).ShellExecute('git','push')",
  "[Microsoft.VisualBasic.Interaction]::Shell('git push')",
  "([wmiclass]'Win32_Process').Create('git push')",
  "(New-Object Diagnostics.Process -Property @{StartInfo=@{FileName='git';Arguments='push'}}).Start()",
  'Start-Process -FilePath git -ArgumentList push',
];

const UNKNOWN: readonly string[] = [
  '[Diagnostics.Process]::Start($p)',
  "[Diagnostics.Process]::Start('git', $a)",
  '[scriptblock]::Create($x).Invoke()',
  "[Diagnostics.Process]::Start((Get-Command git).Source, 'push')",
];

const ASKED: readonly string[] = [
  ...['del;../x', 'del,../x', 'del=../x', 'call del;../x', 'echo del ../x> a.bat && a.bat'],
  "[Diagnostics.Process]::Start('cmd','/c del ../x')",
  "[Environment]::SetEnvironmentVariable('PATH','x','User')",
  "[Microsoft.Win32.Registry]::SetValue('HKEY_CURRENT_USER\\x','a','b')",
  "[Microsoft.Win32.Registry]::CurrentUser.DeleteSubKeyTree('x')",
  ...['pushd .. & echo x > y', 'chdir .. & echo > x', 'cd ..; echo x > y', 'Push-Location ..; del x', 'sl ..; "x" > y'],
  ...["Copy-Item a -Destination:'../x'", 'Copy-Item a -Destination:"../x"', "Set-Content -Path:'../x' y"],
  ...[`python -c "open('../x','w')"`, `node -e "require('fs').writeFileSync('/x','')"`, `py -3 -c "open('/x', 'a')"`],
  ...[`& "C:/Python/python.exe" -c "import shutil; shutil.copy('a', '../x')"`, `ruby -e 'File.write("../x", 1)'`],
];

const EVERYDAY: readonly string[] = [
  ...[
    'npm test;git status',
    'cd src;npm test',
    'ls; npm test',
    'cls ; git status',
    'x = 1',
    'set NODE_ENV=test&& npm test',
    '$env:NODE_ENV="test"; npm test',
  ],
  ...['npm run build 2>&1', 'npm test > out.txt 2>&1', 'echo hi> a.txt', 'echo npm test> a.bat && a.bat'],
  ...['Get-ChildItem -Recurse -Include *.ts,*.tsx', 'Get-Process | Select-Object Name,Id', 'Write-Host "a, b; c"'],
  ...['npm install @types/node', 'for %i in (*.ts) do @echo %i', 'msbuild /p:Configuration=Release'],
  ...["[Environment]::SetEnvironmentVariable('X','y')", '[Math]::Max(1,2)', '$timer.Start()', "$list.Add('x')"],
  ...[`python -c "open('a.txt','w')"`, `node -e "require('fs').writeFileSync('out/a','')"`, 'cd src; npm test > nul'],
  ...[`python -c "print(open('/a').read())" > out.txt`, `node -p "'../a'.length"`, "Copy-Item a -Destination:'b'"],
  ...["[IO.File]::ReadAllText('a.txt')", '[Guid]::NewGuid()', 'git commit -m "a; b"', 'cargo test --features a,b'],
];

describe('A line for PowerShell or cmd', () => {
  it('is denied where cmd takes other characters for a blank, or ends a word at a redirection', () => {
    for (const line of FOR_CMD) assert.equal(denied(line), 'deny', line);
  });

  it('is denied where a method starts the program', () => {
    for (const line of BY_METHODS) assert.equal(denied(line), 'deny', line);
    for (const line of UNKNOWN) assert.equal(denied(line), 'ask', line);
  });

  it('asks in every mode if it reaches out of the folder or changes the machine that way', () => {
    for (const line of ASKED) assert.equal(decide(line).action, 'ask', line);
  });

  it('needs no approval, and no rule holds it up, if it is an everyday one', () => {
    for (const line of EVERYDAY) {
      assert.equal(decide(line).action, 'allow', `${line}: ${decide(line).reason}`);
      assert.notEqual(denied(line), 'deny', line);
    }
  });
});

describe('Brackets among the words of a Windows line', () => {
  for (const [line, shown] of [
    ['git (echo push) (echo --force)', '“git $(…) $(…)”'],
    ['git (echo (echo config)) core.fsmonitor x', '“git $(…) core.fsmonitor x”'],
    ['git (echo (echo push) origin', '“git $(…)”'],
  ] as const) {
    it(`are shown as one computed word each: ${line}`, () => {
      const { action, reason } = decide(line);
      assert.equal(action, 'ask');
      assert.ok(reason.includes(shown), reason);
    });
  }
});
