import assert from 'node:assert/strict';
import { graphMermaid } from '../../../src/host/graphs/graphMermaid';

const node = (id: string, type = 'llm') => ({ id, type, description: '', isMissing: false });

describe('A graph as Mermaid', () => {
  it('has a line for each node and each edge', () => {
    const nodes = [node('plan'), node('ask', 'approval'), node('done', 'end')];
    const ways = [
      { from: 'plan', to: 'ask', kind: 'next' as const },
      { from: 'ask', to: 'done', kind: 'route' as const, label: 'Do it' },
      { from: 'plan', to: 'done', kind: 'fallback' as const, label: 'on failure' },
      { from: 'plan', to: 'nobody', kind: 'next' as const },
    ];
    assert.equal(
      graphMermaid({ start: 'plan', nodes: nodes.map(({ id }) => id), ways }, nodes),
      `flowchart TD
  n0["plan"]
  n1{"ask"}
  n2(["done"])
  n0 --> n1
  n1 -->|"Do it"| n2
  n0 -.->|"on failure"| n2
`,
    );
  });

  it('renders any name as text', () => {
    const hostile = [
      'end',
      '"]; click n0 "javascript:alert(1)"',
      '%%{init: {}}%%',
      'a\nb',
      '<img src=x>',
      '#quot;',
      '`x`',
      '',
    ];
    const nodes = hostile.map((id) => node(id));
    const ways = [{ from: 'end', to: '', kind: 'route' as const, label: '|"<b>\n---' }];
    const text = graphMermaid({ start: 'end', nodes: hostile, ways }, nodes);
    assert.equal(text.split('\n').length, hostile.length + 3);
    for (const line of text.split('\n').slice(1, -2))
      assert.match(line, /^ {2}n\d+\["(?:[\p{L}\p{N} _.,…-]|#\d+;)+"\]$/u);
    assert.match(text, /\n {2}n0 -->\|"#124;#34;#60;b#62;#10;---"\| n7\n$/);
  });
});
