/** What a page says, between marks that it cannot close by itself. */
export function pageData(tag: 'page' | 'results', contents: string): string {
  const mark = new RegExp(`<(?=/?${tag}>)`, 'gi');
  return `<${tag}>\n${contents.trim() === '' ? '(no text)' : contents.replace(mark, '&lt;')}\n</${tag}>`;
}
