/** A constraint on the length of an answer, in characters. */
export interface AnswerCheck {
  readonly operator: '>' | '>=' | '<' | '<=' | '==';
  readonly length: number;
  /** The check as written. */
  readonly text: string;
}

const FORM = /^\s*len\(\s*input\s*\)\s*(>=|<=|==|>|<)\s*(\d{1,9})\s*$/;

/** Parses a check of the form `len(input) OP N`; undefined for anything else. */
export function parseAnswerCheck(text: string): AnswerCheck | undefined {
  const [, operator, length] = FORM.exec(text) ?? [];
  const known = OPERATORS.find((one) => one === operator);
  return known && { operator: known, length: Number(length), text: text.trim() };
}

const OPERATORS = ['>', '>=', '<', '<=', '=='] as const;

/** Returns what is wrong with the answer, as a message to the user; undefined if it passes. */
export function answerProblem({ operator, length }: AnswerCheck, answer: string): string | undefined {
  const has = Array.from(answer).length;
  const fits = { '>': has > length, '>=': has >= length, '<': has < length, '<=': has <= length, '==': has === length };
  if (fits[operator]) return undefined;
  const words = {
    '>': 'more than',
    '>=': 'at least',
    '<': 'fewer than',
    '<=': 'at most',
    '==': 'exactly',
  };
  return `The answer must have ${words[operator]} ${length} characters; it has ${has}.`;
}
