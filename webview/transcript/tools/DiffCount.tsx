/** "+6 −2", told by signs as well as by colour. What is 0 is left out. */
export function DiffCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="diff-count">
      {added > 0 && (
        <span class="added" aria-label={`${added} added`} role="img">
          +{added}
        </span>
      )}
      {removed > 0 && (
        <span class="removed" aria-label={`${removed} removed`} role="img">
          −{removed}
        </span>
      )}
    </span>
  );
}
