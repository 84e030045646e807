/** Content that the bundler inlines: Markdown as text, YAML as its parsed value. */
declare module '*.md' {
  const text: string;
  export default text;
}
declare module '*.yaml' {
  const value: unknown;
  export default value;
}
declare module '*.css';

/** Maps the front matter of the files that come with Cairn to its value, parsed by the build. */
declare module '*.frontMatter' {
  const known: Readonly<Record<string, unknown>>;
  export default known;
}
