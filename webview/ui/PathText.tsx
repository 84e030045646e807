/** A title on one line. Where it is too long, the folders of the path in it are cut, since file names differ at their end. */
export function PathText({ title, path }: { title: string; path: string }) {
  const at = placeOf(path, title);
  if (at < 0 || path === '') return <>{title}</>;
  return (
    <>
      {title.slice(0, at)}
      <span class={at === 0 ? 'path-end' : 'path-end after-verb'}>
        <bdi dir="ltr">{title.slice(at)}</bdi>
      </span>
    </>
  );
}

/** Where the path begins in the title, which names a file outside the workspace by its absolute path. */
function placeOf(path: string, title: string): number {
  const below = path.replace(/^(?:\.\.\/)+/, '');
  const at = title.indexOf(below);
  return below === path || at < 0 ? at : title.lastIndexOf(' ', at) + 1;
}
