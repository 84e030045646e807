import editPrompt from '../../../../assets/prompts/edit.md';

/** A part of a file that a person wants to have changed, in whole lines. */
export interface SelectedPart {
  /** As the model is told of it. */
  path: string;
  /** As editors name it. */
  language: string;
  before: string;
  part: string;
  after: string;
  /** In the person's words. */
  wish: string;
}

/**
 * The question to a model. What stands in the file is data between marks, which it cannot close: their number is one that no
 * text of it has.
 */
export function selectionQuestion({ path, language, before, part, after, wish }: SelectedPart): {
  system: string;
  text: string;
} {
  const number = freeNumber([path, language, before, part, after].join('\n'));
  const between = (name: string, text: string) => `<${name}-${number}>\n${text}\n</${name}-${number}>`;
  const text = [
    between('file', `${path} (${language})`),
    between('before', before),
    between('part', part),
    between('after', after),
    `What the person wants of the part:\n${wish}`,
  ].join('\n\n');
  return { system: editPrompt, text };
}

function freeNumber(text: string): number {
  let number = 1;
  while (text.includes(`-${number}>`)) number++;
  return number;
}
