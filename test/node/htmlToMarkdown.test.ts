import assert from 'node:assert/strict';
import { htmlToMarkdown } from '../../src/node/web/pageWorker';

const WORDS = 'A sentence with some words in it, and more of them. '.repeat(20);
const page = (article: string) =>
  `<html><head><title>The page</title></head><body><nav><a href="/home">Home</a></nav><main><article>
   <h1>The page</h1>${article}</article></main><aside>Buy now</aside><script>alert(1)</script></body></html>`;
const markdown = (html: string) => htmlToMarkdown(html, 'https://example.org/docs/page').markdown;

describe('A page as Markdown', () => {
  it('contains the article and its title, without anything around it', () => {
    const { title, markdown: text } = htmlToMarkdown(page(`<p>${WORDS}</p>`), 'https://example.org/');
    assert.equal(title, 'The page');
    assert.ok(text.includes(WORDS.trim()));
    assert.doesNotMatch(text, /Home|Buy now|alert/);
  });

  it('keeps tables, code languages, and absolute links', () => {
    const text = markdown(
      page(`<p>${WORDS}<a href="../x?a=1#b">link</a></p><pre><code class="language-ts">const a = 1;\nlet b;</code></pre>
        <table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>
        <ul><li>one</li></ul>`),
    );
    assert.ok(text.includes('[link](https://example.org/x?a=1#b)'), text);
    assert.ok(text.includes('```ts\nconst a = 1;\nlet b;\n```'), text);
    assert.match(text, /\| A +\| B +\|\n\| -+ \| -+ \|\n\| 1 +\| 2 +\|/);
    assert.match(text, /^- +one$/m);
  });

  it('contains the whole page if there is no article, even for fragments', () => {
    assert.equal(
      markdown('<p>short <b>text</b> <a href="y">link</a></p>'),
      'short **text** [link](https://example.org/docs/y)',
    );
    assert.equal(markdown(''), '');
    assert.equal(markdown('a < b'), 'a < b');
    assert.equal(
      markdown('<html><base href="https://other.org/x/"><body><a href="y">l</a></body></html>'),
      '[l](https://other.org/x/y)',
    );
    for (const odd of ['<table>', '<body><frameset>', '<!-- x', '<html><head>', '<p><table><tr><td><table>', '\0'])
      markdown(odd);
  });

  it('is created for a big page', () => {
    const rows = '<p>Some <i>words</i> and <a href="a">a link</a>.</p>'.repeat(2000);
    assert.ok(markdown(`<html><body>${rows}</body></html>`).length > 60_000);
  });
});
