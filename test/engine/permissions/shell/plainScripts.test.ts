import assert from 'node:assert/strict';
import { offerRules } from '../../../../src/engine/permissions/approvalHandler';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command, commandRule } from '../queries';

const global = defaultRuleset('edits-and-commands');

/** The rules that "Always…" offers for scripts that only read. */
const OFFERED = ["awk '{print $1}' a", 'sed -n 1p a'].flatMap((line) => {
  const [narrowest] = offerRules(command(line), { global }, toolPolicy);
  return narrowest?.rules ?? [];
});

/** Scripts in which one reader sees a string, an expression, or a replacement, and another sees something that it runs or writes. */
const HIDING: readonly string[] = [
  'awk \'{print /"/ | "evil; #"}\' a',
  'awk \'BEGIN{a=1 /2; print "evil" | "sh"; b=1 /2}\'',
  'awk \'BEGIN{a=1 /2; print a /3 > "x"}\'',
  'awk \'BEGIN{print "x",\n"y" > "z"}\'',
  'awk \'{ # "\n print "evil" | "sh" # "\n }\' a',
  'awk \'/[/]/ {print "evil" | "sh"} /x/\' a',
  'awk \'(1)/2 {print "evil" | "sh"} 1/2\' a',
  'awk \'/[^]/"]/ {print} {print "evil" | "sh"} /"/\' a',
  'awk \'BEGIN{ARGV[1]=".e" "nv"; ARGC=2} 1\'',
  "sed -n 's/[/]/;s/e;p;/x/p' a",
  "sed -n '/[/]/s/;p;/e;/x/p' a",
  "sed 's,[^],],;s,e;p;,x,p' a",
];

const PLAIN: readonly string[] = [
  "sed 's/[^,]*$//; s/[[:space:]]*$//; /[0-9]/d; s/\\[x\\]/y/' a",
  'awk \'BEGIN {FS=":"} /^[a-z]+\\/[[:alpha:]]/ && $2/2 > 1 {n += $2 / 3 } # all\nEND {print n/NR, "a|b"}\' a',
];

describe('An awk or sed script', () => {
  it('is offered a rule when it only reads', () => assert.equal(OFFERED.length, 2));

  for (const line of HIDING)
    it(`asks, even if its program is allowed: ${JSON.stringify(line)}`, () => {
      for (const session of [OFFERED, [commandRule('awk'), commandRule('sed')]])
        assert.equal(toolPolicy.decide(command(line), { session, global }).action, 'ask');
    });

  for (const line of PLAIN)
    it(`is allowed along with its program: ${JSON.stringify(line)}`, () =>
      assert.equal(toolPolicy.decide(command(line), { session: OFFERED, global }).action, 'allow'));
});
