import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import * as z from '../../../src/base/zod';
import { ASSETS_FOLDER } from '../../support/assetsFolder';

const answer = z.array(z.object({ address: z.string(), kind: z.string(), trust: z.string() }));
const SCRIPT = join(ASSETS_FOLDER, 'agents/deep-research/tools.js');
const CALL =
  'console.log(JSON.stringify(require(process.argv[1]).classify_sources({ addresses: process.argv.slice(2) })))';

/** Address → the expected classification of its host. */
const HOSTS: Readonly<Record<string, string>> = {
  'https://www.w3.org/TR/css/': 'standard: high',
  'https://www.itu.int/rec': 'standard: high',
  'https://pubmed.ncbi.nlm.nih.gov/1': 'government: high',
  'https://www.gov.uk/a': 'government: high',
  'https://data.gov.au/a': 'government: high',
  'https://web.mit.edu/a': 'university: high',
  'https://www.ox.ac.uk/a': 'university: high',
  'http://arxiv.org/abs/1': 'preprints, not reviewed: medium',
  'https://DE.wikipedia.org./wiki/A': 'encyclopedia: medium',
  'https://docs.rs/serde': 'documentation: medium',
  'https://raw.githubusercontent.com/a': 'source code: medium',
  'https://old.reddit.com/r/a': 'forum, blog, or social network: low',
  // Addresses that only resemble known ones.
  'https://w3.org.example.com/': 'unknown: judge by the page',
  'https://notgithub.com/': 'unknown: judge by the page',
  'https://gov.example/': 'unknown: judge by the page',
  'https://github.com@example.com/': 'unknown: judge by the page',
  'no address': 'no address: low',
};

describe('classify_sources', () => {
  it('recognizes publishers by their domains and is not fooled by similar names', () => {
    const said: unknown = JSON.parse(
      execFileSync(process.execPath, ['-e', CALL, SCRIPT, ...Object.keys(HOSTS)], { encoding: 'utf8' }),
    );
    const each = answer.parse(said);
    assert.deepEqual(Object.fromEntries(each.map(({ address, kind, trust }) => [address, `${kind}: ${trust}`])), HOSTS);
  });
});
