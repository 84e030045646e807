/** "+6 −2", told by signs as well as by colour. */
export function DiffCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="diff-count">
      <span class="added" aria-label={`${added} added`} role="img">
        +{added}
      </span>
      <span class="removed" aria-label={`${removed} removed`} role="img">
        −{removed}
      </span>
    </span>
  );
}
