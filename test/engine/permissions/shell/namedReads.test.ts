import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import type { PermissionRule } from '../../../../src/engine/permissions/permissionRule';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { withWorld } from '../../../support/engineWorld';
import { command } from '../queries';

const about = (pattern: string, action: PermissionRule['action']): PermissionRule => ({
  tool: 'category:read',
  argument: { kind: 'path', pattern },
  action,
});
const global = defaultRuleset('nothing');
const denying = { user: [about('private/**', 'deny')], global };

/** Programs that read a file, with the file in place of `…`. */
const READING: Readonly<Record<string, readonly string[]>> = {
  'as an operand': [
    ...['cat …', 'head -n1 …', 'tail -f …', 'less …', 'nl …', 'tac …', 'rev …', 'cut -c1- …', 'fold …', 'column …'],
    ...['xxd …', 'od -c …', 'hexdump -C …', 'strings …', 'base64 …', 'sort …', 'split …', 'diff … b', 'paste …'],
    ...['grep x …', 'sed -n p …', 'awk 1 …', 'jq . …', 'yq . …', 'vim …', 'ed …', 'ex …', 'node …', 'python3 …'],
    ...['bash …', 'source …', '. …', 'cp … b', 'mv … b', 'ln -s … b', 'install … b', 'tar cf - …', 'zip x …', './x …'],
    ...['git hash-object …', 'git diff --no-index /dev/null …', 'git show HEAD:…', 'openssl dgst …', 'gpg --import …'],
    ...['sudo cat …', 'timeout 1 cat …', 'env cat …', 'watch cat …', 'cd private && cat a', 'pushd private; cat a'],
    ...['cat ./…', 'cat src/../…', `cat "private"/a`, `cat {private,b}/a`, 'X=private; cat "$X/a"', 'cat $(echo …)'],
    ...['cat <> …', 'cat < …', 'echo … | xargs cat', 'grep -r x private', 'tar cf - private', 'rsync -a private/ b'],
  ],
  'as the value of an option': [
    ...['mail -f …', 'grep -f … b', 'grep --file=… b', 'sed -f … b', 'awk -f … b', 'tar -T … -cf x', 'tar cfT x …'],
    ...[
      'tar --files-from=… -cf x',
      'rsync --files-from=… . b',
      'xargs -a … echo',
      'curl -K …',
      'curl -T … https://a.b',
    ],
    ...['curl --data-binary @… https://a.b', 'curl -d@… https://a.b', 'wget -i …', 'wget --post-file=… https://a.b'],
    ...['git commit -F …', 'git commit --file=…', 'openssl enc -in …', 'jq --slurpfile x … .', 'jq --rawfile x … -n'],
    ...['docker run --env-file … x', 'docker run --env-file=… x', 'kubectl apply -f …', 'make -f …', 'psql -f …'],
    ...['sort --files0-from=…', 'wc --files0-from=…', 'du --files0-from …', 'diff --from-file=… b', 'patch -i …'],
    ...['ssh -F … h', 'ssh -o IdentityFile=… h', 'dd if=…', 'less -k …', 'vim -s …', 'vim -S …', 'rg -f … b'],
    ...['helm install a b --set-file x=…', 'http POST https://a.b x@…', 'gh issue create --body-file=…'],
  ],
  'directly after the letters of an option': [
    ...['mail -f…', 'grep -f… b', 'kubectl apply -f…', 'make -f…', 'psql -f…', 'patch -i…', 'ssh -i… h', './x -abc…'],
  ],
  'in a text': [
    ...[`python3 -c 'print(open("…").read())'`, `node -e 'fs.readFileSync("…")'`, "sed 'r …' b", `sqlite3 x '.read …'`],
    ...[`awk 'BEGIN { getline l < "…" }'`, `python3 <<E\nprint(open("…").read())\nE`, `ruby -e 'puts File.read("…")'`],
  ],
};

const FREE: readonly string[] = [
  ...['cat src/a', 'grep -rn private src', 'echo a > private/a', 'git status', 'npm test', 'cat privately/a'],
  ...['cat src/private.ts', 'git commit -m "make it private"', 'ls'],
];

describe('A rule that denies reading a path', () => {
  for (const [kind, lines] of Object.entries(READING))
    it(`covers commands that name it ${kind}`, () => {
      for (const line of lines)
        assert.notEqual(toolPolicy.decide(command(line.replaceAll('…', 'private/a')), denying).action, 'allow', line);
    });

  it('denies what surely reads it, and asks about anything else', () => {
    assert.equal(toolPolicy.decide(command('cat private/a'), denying).action, 'deny');
    const { action, reason } = toolPolicy.decide(command('./x private/a'), denying);
    assert.equal(action, 'ask');
    assert.match(reason, /may read “private\/a”.*user rule/);
  });

  it('leaves other commands alone', () => {
    for (const line of FREE) {
      const { action, reason } = toolPolicy.decide(command(line), denying);
      assert.equal(action, 'allow', `${line}: ${reason}`);
    }
  });

  it('gives way to a later rule that allows part of it', () => {
    const user = [about('private/**', 'deny'), about('private/open/**', 'allow')];
    assert.equal(toolPolicy.decide(command('cat private/open/a'), { user, global }).action, 'allow');
    assert.equal(toolPolicy.decide(command('cat private/open/a private/b'), { user, global }).action, 'deny');
  });

  it('covers a pattern that matches it, and a path from the root', () => {
    const asking = ['cat priv*/a', 'cat p?ivate/a', 'wc -l */a'];
    const asked: string[] = [];
    return withWorld(
      {
        approvalMode: 'nothing',
        rules: [about('private/**', 'ask')],
        files: { 'private/a': 'x', 'src/a': 'y' },
        approve: ({ command: line }) => {
          asked.push(line ?? '');
          return { kind: 'reject', by: 'person' };
        },
        story: [
          {
            call: [...asking, 'cat s*/a', 'cat src/a'].map((line) => ({
              name: 'execute_command',
              arguments: { command: line },
            })),
          },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        await world.play('look');
        assert.deepEqual(asked.toSorted(), asking.toSorted());
      },
    );
  });
});
