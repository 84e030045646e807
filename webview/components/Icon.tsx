/** A codicon. Decoration: its meaning is always said in words as well. */
export function Icon({ name, class: extra }: { name: string; class?: string }) {
  return <span class={`codicon codicon-${name}${extra ? ` ${extra}` : ''}`} aria-hidden="true" />;
}
