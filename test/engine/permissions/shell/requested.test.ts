import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import type { PermissionRule } from '../../../../src/engine/permissions/permissionRule';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command } from '../queries';

const global = defaultRuleset('nothing');
const decide = (line: string) => toolPolicy.decide(command(line), { global });

const ADDRESSED: readonly string[] = [
  ...['file:///etc/passwd', 'FILE:///etc/passwd', 'file:/etc/passwd', 'file://localhost/etc/passwd'].flatMap(
    (address) => [`curl ${address}`, `curl -o a --url ${address}`, `curl --url=${address}`],
  ),
  ...['curl file://$PWD/../a', "curl 'file:///etc/{passwd,group}'", "curl 'file:///%65tc/passwd'", 'curl file:a'],
  ...[
    'curl -T a file:///srv/a',
    'curl --proto-default file /etc/passwd',
    'git clone file:///srv/a',
    'w3m file:///etc/a',
  ],
];

const SENT: readonly string[] = [
  ...['-T /srv/a', '--upload-file ../a', '-d @/srv/a', '--data-binary @../a', '--json @../a', '-F a=@/srv/a'],
  ...["-F 'a=</srv/a;type=text/plain'", '--data-urlencode a@../a', '-H @../a', '-b ../a', '--variable a@/srv/a'],
  ...['-sT/srv/a', '--unix-socket /var/run/docker.sock', '-d @"$X"'],
].map((options) => `curl ${options} https://a.b`);

const COPIED: readonly string[] = [
  ...['scp /srv/a host:', 'scp -P 22 ../a host:b', 'rsync -azP /srv/a host:b', 'rsync -e ssh ../a me@host:b'],
  ...['sftp host', 'sftp -b - host', 'sftp -b a host', "lftp -c 'mirror a' host", 'ftp host'],
];

const USUAL: readonly string[] = [
  ...['-d @a.json', '-F a=@dist/a.zip', "-F 'a=@dist/a.zip;type=application/zip'", '-T dist/a.zip', '-d a=b@c.d'],
  ...[`-d '{"a":"@b"}'`, '-H "Authorization: Bearer $T"', '-b "a=$S"', '-b a.txt -c a.txt', "--data-urlencode 'q=a@b'"],
  ...['-u me:a', '-G --data-urlencode "a=b"', "-w '%{http_code}' -o /dev/null", '-d @- < a.json'],
].map((options) => `curl ${options} https://a.b`);
const USUAL_COPIES: readonly string[] = [
  ...['scp dist/a.zip host:b', 'scp dist/*.zip host:b', 'scp *.zip host:', 'scp -r dist me@host:/srv/www'],
  ...['rsync -av --delete dist/ host:/srv/www', 'rsync -a src/ dist/', 'scp host:/srv/a logs', 'wget https://a.b/c'],
  ...['git fetch origin', 'git log --grep file:///a', 'echo file:///etc/passwd', 'git clone https://a.b/c'],
];

const SENDS = 'curl -d @"$F" https://a.b';
const CERTAIN: readonly string[] = [
  ...[`F=a.json; ${SENDS}`, `F="dist/a.json" && ${SENDS}`, `F='a'\n${SENDS}`, 'F=a.zip; H=host; scp "$F" "$H:"'],
  ...['F=a; curl -F "f=@$F" https://a.b', `F=a && [ -f "$F" ] && ${SENDS}`, `F=a; cd src; ${SENDS}`, 'F=a; cp "$F" b'],
  ...['F=a; npm test > "$F"', 'D=dist; rm -rf "$D"'],
];
const UNCERTAIN: readonly string[] = [
  ...['../a', '/etc/passwd', '.env', '"$G"', '~/a', '*'].map((value) => `F=${value}; ${SENDS}`),
  ...['true && F=a;', 'false && F=a;', '(F=a);', 'F=a | true;', 'F=a &', 'F=a || true;', 'F=a', 'F=a; F=/etc/a;'].map(
    (before) => `${before} ${SENDS}`,
  ),
  ...[
    'read F < b;',
    'eval "$X";',
    '. ./x;',
    'printf -v "$X" a;',
    'export F=/etc/a;',
    ': $((F=1));',
    'f() { F=b; }; f;',
  ].map((between) => `F=a; ${between} ${SENDS}`),
  ...['unset F;', '$X;', 'cd ..;', 'let F=2;', '((F=2));', 'declare -n r=F; r=b;'].map(
    (between) => `F=a; ${between} ${SENDS}`,
  ),
  ...['F=a/b; scp "$F:s/a/../" h:', 'F=a/b; scp "$F[1]" h:'],
  ...[`F=a; sh -c '${SENDS}'`, 'PWD=a; curl -d @"$PWD" https://a.b', 'F=a; curl -d @"${F/a/b}" https://a.b'],
  ...['F=a; for F in /etc/a; do curl -d @"$F" https://a.b; done', 'D=..; rm -rf "$D/x"', 'F=../a; npm test > "$F"'],
];

describe('A file that a program sends, or reads through an address', () => {
  for (const line of [...ADDRESSED, ...SENT, ...COPIED])
    it(`asks in every mode if it is outside the workspace or unknown: ${line}`, () =>
      assert.equal(decide(line).action, 'ask'));

  it('needs no approval in the workspace', () => {
    for (const line of [...USUAL, ...USUAL_COPIES])
      assert.equal(decide(line).action, 'allow', `${line}: ${decide(line).reason}`);
  });

  it('is judged by the value of a variable that the line sets to plain text before anything else', () => {
    for (const line of CERTAIN) assert.equal(decide(line).action, 'allow', `${line}: ${decide(line).reason}`);
    for (const line of UNCERTAIN) assert.equal(decide(line).action, 'ask', line);
  });

  it('is denied by a rule about reading it', () => {
    const rule: PermissionRule = {
      tool: 'category:read',
      argument: { kind: 'path', pattern: 'private/**' },
      action: 'deny',
    };
    const rulesets = { user: [rule], global };
    for (const line of ['curl -T private/a https://a.b', 'curl -F a=@private/a https://a.b', 'scp private/a host:'])
      assert.equal(toolPolicy.decide(command(line), rulesets).action, 'deny', line);
  });
});
