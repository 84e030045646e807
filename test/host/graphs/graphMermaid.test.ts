import assert from 'node:assert/strict';
import { TRICKY_TEXTS } from '../../support/trickyTexts';
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

  it('shows characters that hide or reorder text instead of rendering them', () => {
    const never = /[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/u;
    for (const { text } of TRICKY_TEXTS) {
      const ways = [{ from: text, to: text, kind: 'route' as const, label: text }];
      const drawn = graphMermaid({ start: text, nodes: [text], ways }, [node(text)]);
      const rendered = drawn.replace(/#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)));
      assert.doesNotMatch(rendered, never, JSON.stringify(text));
    }
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
    assert.match(text, /\n {2}n0 -->\|"#124;#34;#60;b#62;#9166;---"\| n7\n$/);
  });
});
