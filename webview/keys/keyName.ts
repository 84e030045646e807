const isMac = navigator.userAgent.includes('Mac');

/** How the editor writes a key with its main modifier: "Ctrl+Enter", "⌘⏎". */
export function keyName(key: 'Enter' | 'Backspace'): string {
  if (isMac) return key === 'Enter' ? '⌘⏎' : '⌘⌫';
  return `Ctrl+${key}`;
}
