/**
 * A codicon, or `stop`: the filled square, which the codicons only have as a frame. Decoration: its meaning is always
 * said in words as well.
 */
export function Icon({ name, class: extra }: { name: string; class?: string }) {
  if (name === 'stop') return <span class="stop-icon" aria-hidden="true" />;
  return <span class={`codicon codicon-${name}${extra ? ` ${extra}` : ''}`} aria-hidden="true" />;
}
