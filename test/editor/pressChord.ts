import type { EditorWindow } from './editorWindow';
import { repeatUntil } from './repeatUntil';

/** Presses keys one after the other, as often as it takes while the editor is busy with something else. */
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
