import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command, commandRule } from '../queries';

/** Programs, and arguments with which each of them asks, whatever a rule allows. */
const PROGRAMS: readonly (readonly [string, string])[] = [
  ['rm rmdir unlink shred truncate del erase rd ri srm', 'x'],
  ['remove-item clear-content clear-item trash', 'x'],
  ['dd fdisk parted wipefs mkswap sgdisk diskutil format mkfs mkfs.ext4', 'x'],
  ['kill pkill killall skill taskkill stop-process xkill fuser', 'x'],
  ['shutdown reboot halt poweroff init telinit systemctl service launchctl sc', 'stop x'],
  ['su runas pkexec chroot nsenter unshare', 'x'],
  ['chmod icacls setfacl', '-R x y'],
  ['chmod', '4755 x'],
  ['chown chgrp takeown', 'me x'],
  ['tee sponge set-content add-content out-file', 'x'],
  ['sed gsed', '--in-place s/a/b/ x'],
  ['find gfind', 'src -okdir x'],
  ['find gfind', 'src -delete'],
  ['fd fdfind', '-x ls'],
  ['rg ripgrep', '--hostname-bin x y'],
  ['parallel busybox toybox watch entr script expect flock strace gdb', 'ls'],
  ['make gmake', 'SHELL=x'],
  ['tar bsdtar gtar', '-c --use-compress-program=x y'],
  ['zip', '-T x y'],
  ['sort gsort', '-o x y'],
  ['sh bash zsh dash ksh fish ash csh tcsh', '-f'],
  ['pwsh powershell cmd wsl', 'x'],
  ['eval source . invoke-expression iex invoke-command start-process start', 'x'],
  ['alias unalias trap enable hash export declare typeset readonly local set shopt set-alias', 'x=y'],
  ['set-executionpolicy', 'x'],
  ['node nodejs deno bun tsx ts-node', '-p 1'],
  ['python python2 python3 python3.12 py pypy pypy3', '-c 1'],
  ['perl ruby php lua rscript osascript tclsh ghci jshell irb', '-e 1'],
  ['vi vim nvim view ex ed emacs nano less more man', 'x'],
  ['curl wget http https aria2c invoke-webrequest iwr', '-d @x https://example.com'],
  ['ssh scp sftp rsync nc ncat netcat socat telnet ftp', 'x y'],
  ['npm pnpm yarn bun cargo gem twine poetry vsce gh', 'publish'],
  ['gh glab', 'release create'],
  ['npm pnpm yarn', 'set version x'],
  ['docker podman nerdctl', 'cp x y'],
  ['kubectl helm terraform tofu pulumi aws gcloud az', 'apply'],
  ['crontab at batch schtasks reg setx defaults net netsh assoc ftype bcdedit vssadmin wevtutil secedit auditpol', 'x'],
  ['new-itemproperty set-itemproperty remove-itemproperty new-service set-service register-scheduledtask', 'x'],
  ['new-localuser add-localgroupmember diskpart', 'x'],
  ['mshta rundll32 regsvr32 cscript wscript msiexec installutil wmic add-type invoke-wmimethod invoke-cimmethod', 'x'],
  ['bitsadmin start-bitstransfer', 'x'],
  ['certutil', '-urlcache x'],
];

/** A program, its subcommands, and the arguments after each. */
const SUBCOMMANDS: readonly (readonly [string, string, string])[] = [
  ['deno', 'eval upgrade', 'x'],
  ['git', 'config filter-branch filter-repo difftool mergetool remote submodule bisect', 'x y'],
  ['git', 'clean restore gc prune reflog update-ref rm', 'x y'],
  ['git', 'reset checkout switch', '--merge'],
  ['git', 'branch tag worktree stash', '-D x'],
  ['git', 'push', '--mirror'],
  ['git', 'rebase', '--exec x'],
  ['cargo', 'publish unpublish yank upload push deprecate owner', 'x'],
  ['gh', 'api delete merge secret auth release', 'x'],
  ['yarn', 'config set', 'x y'],
  ['docker', 'run exec rm rmi prune push kill cp down', 'x'],
];

const lines = [
  ...PROGRAMS.flatMap(([programs, rest]) => programs.split(' ').map((program) => `${program} ${rest}`)),
  ...SUBCOMMANDS.flatMap(([program, subcommands, rest]) =>
    subcommands.split(' ').map((subcommand) => `${program} ${subcommand} ${rest}`),
  ),
];

/** Calls that change what the machine starts, or who may use it, and others whose effect outside the folder is easily missed. */
const SETTINGS: readonly string[] = [
  ...[
    'crontab a',
    'crontab -',
    'echo x | crontab',
    'at -f a now',
    'batch',
    'systemctl enable x',
    'systemctl --user link ./x',
  ],
  ...[
    'systemctl $1 x',
    'systemd-run --on-calendar=daily ls',
    'loginctl enable-linger',
    'launchctl load x',
    'update-rc.d x defaults',
  ],
  ...[
    'useradd x',
    'usermod -aG sudo x',
    'passwd x',
    'chsh -s zsh',
    'visudo',
    'insmod x.ko',
    'sysctl -w a=b',
    'sysctl a=b',
  ],
  ...['defaults write a b c', 'code --install-extension x', 'sudo crontab a', 'sh -c "crontab a"', 'ssh-keygen -t rsa'],
  ...[
    'socat - OPEN:/srv/x',
    'socat - CREATE:../x,append',
    'socat -u FILE:a!!OPEN:../x -',
    'java -javaagent:../x.jar Main',
  ],
  ...[
    'rm -rf ./*',
    'rm -rf build/../*',
    'mv ./* x',
    'ar x a.a',
    `sqlite3 a "vacuum into '../x'"`,
    `psql -c "copy a to '/srv/x'"`,
  ],
  ...[`sqlite3 a 'attach "../x" as b'`],
  ...['hooksPath', 'fsmonitor', 'sshCommand'].map((key) => `git -c core.${key}=../x status`),
  ...[
    'reboot',
    'shutdown -h now',
    'poweroff',
    'halt',
    'init 0',
    'telinit 6',
    'systemctl reboot',
    'systemctl isolate x',
  ],
  ...['--privileged', '--pid=host', '--pid host', '--cap-add ALL', '--security-opt apparmor=unconfined'].map(
    (option) => `docker run ${option} a`,
  ),
  ...['docker exec --privileged x ls', 'podman create --userns=host a', 'docker container run --privileged=true a'],
  ...[`python3 -c 'import shutil; shutil.rmtree(".")'`, `python3 -c 'shutil.rmtree(os.getcwd())'`],
  ...[`python3 -c '[p.unlink() for p in Path(".").rglob("*")]'`, `python3 -c 'subprocess.run(["rm","-rf","."])'`],
  ...[`node -e 'fs.rmSync(".",{recursive:true})'`, `node -e 'fs.rmSync(os.homedir(),{recursive:true})'`],
  ...[`ruby -e 'FileUtils.rm_rf(Dir.pwd)'`, `perl -e 'unlink glob("*")'`, `php -r 'rmdir("../x");'`],
  ...[`python3 -c 'os.symlink("/x", "y")'`, `node -e 'fs.cpSync("a","../x")'`, 'direnv allow', 'mise trust'],
  ...['fd -x rm', 'fd -e o -X rm', 'fd -x rm {}', 'fd -e o --exec mv {} {.}.bak'],
  ...["echo 'touch ../x' | ssh localhost", "ssh root@127.0.0.1 <<< 'touch ../x'"],
  ...['git -c include.path=/srv/x status', 'git -c diff.a.textconv=~/x diff', 'git -c credential.helper=../x fetch'],
];
const SETTINGS_ON_WINDOWS: readonly string[] = [
  ...[
    'reg add HKCU\\Software\\x /v y',
    'schtasks /create /tn x',
    'sc.exe create x',
    'net user x y /add',
    'setx PATH x',
  ],
  ...['New-Item HKCU:\\Software\\x', 'Set-ItemProperty -Path HKLM:\\Software\\x -Name y', 'Copy-Item a Cert:\\x'],
  ...['New-ItemProperty Registry::HKEY_CURRENT_USER\\x', 'Register-ScheduledTask x', 'New-Service x'],
];
const READ: readonly string[] = [
  ...[
    'crontab -l',
    'at -l',
    'systemctl status x',
    'systemctl --user is-enabled x',
    'systemctl restart x',
    'launchctl list',
  ],
  ...[
    'passwd -S x',
    'visudo -c',
    'sysctl -a',
    'sysctl kernel.a',
    'defaults read a',
    'code .',
    'ssh-keygen -lf a',
    'socat - TCP:a:1',
  ],
  ...[
    'socat - OPEN:a',
    'java -javaagent:lib/a.jar Main',
    'git -c core.pager=/usr/bin/less log',
    'git -c core.hooksPath=/dev/null commit',
  ],
  ...['shutdown -c', 'npm init -y', 'docker run --rm a ls', 'docker run --privileged=false --cap-add=NET_ADMIN a'],
  ...[`python3 -c 'import os; os.remove("build/a.txt")'`, `node -e 'fs.rmSync("dist",{recursive:true})'`],
  ...[`python3 -c 'print(list(Path(".").rglob("*.py")))'`, `node -e 'new Set().delete(".")'`, `ruby -e 'puts Dir.pwd'`],
  ...['fd -e ts', 'fd rm', 'fd -e ts -x wc -l', 'fd -x echo {}', 'direnv status', 'mise install'],
  ...["echo 'touch ../x' | ssh host", "echo 'touch /x' | docker exec -i x sh"],
  ...['git -c core.fsmonitor=false status', 'tar --exclude=x -cf a.tar b', 'tar czf a.tgz src --exclude-vcs'],
];
const READ_ON_WINDOWS: readonly string[] = [
  ...[
    'reg query HKCU\\Software',
    'schtasks /query',
    'sc.exe query x',
    'net user',
    'Get-ItemProperty HKLM:\\Software\\x',
  ],
];

describe('A harmful program', () => {
  for (const line of lines) {
    it(`asks even if a rule allows it, and states the harm: ${line}`, () => {
      const session = [commandRule(line.split(' ')[0] ?? '')];
      const { action, reason } = toolPolicy.decide(command(line), { session, global: defaultRuleset('commands') });
      assert.equal(action, 'ask');
      assert.doesNotMatch(reason, /It is not known whether .* is harmless with/);
    });
  }

  it('asks in every mode if it changes settings of the machine or reaches out of the folder', () => {
    const global = defaultRuleset('nothing');
    for (const line of SETTINGS) assert.equal(toolPolicy.decide(command(line), { global }).action, 'ask', line);
    for (const line of SETTINGS_ON_WINDOWS)
      assert.equal(toolPolicy.decide(command(line, 'windows'), { global }).action, 'ask', line);
  });

  it('needs no approval where it only reads them', () => {
    const global = defaultRuleset('nothing');
    const judged = (line: string, shell: 'posix' | 'windows') => {
      const { action, reason } = toolPolicy.decide(command(line, shell), { global });
      assert.equal(action, 'allow', `${line}: ${reason}`);
    };
    for (const line of READ) judged(line, 'posix');
    for (const line of READ_ON_WINDOWS) judged(line, 'windows');
  });

  it('asks in every mode about the places it writes to outside the workspace', () => {
    for (const line of ['cp a ../b', 'mv a ../b', 'ln -s a ../b', 'install a ../b', 'cp -t ../b a', 'cp a b ../c'])
      assert.equal(toolPolicy.decide(command(line), { global: defaultRuleset('nothing') }).action, 'ask', line);
  });
});
