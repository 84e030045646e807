/** A title on one line. Where it is too long, the folders of the path in it are cut, since file names differ at their end. */
export function PathText({ title, path }: { title: string; path: string }) {
  const at = title.indexOf(path);
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
