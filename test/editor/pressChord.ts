import type { EditorWindow } from './editorWindow';
import { repeatUntil } from './repeatUntil';

/** Presses keys one after the other, repeating the chord while the editor is too busy to react. */
export function pressChord(
  { page }: EditorWindow,
  keys: readonly string[],
  hasEffect: () => Promise<boolean>,
): Promise<void> {
  const press = async (): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return repeatUntil(`the effect of ${keys.join(' ')}`, press, hasEffect, 'redrawn');
}
