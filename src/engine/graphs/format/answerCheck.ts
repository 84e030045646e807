/** What an answer must be: so long, in characters. */
export interface AnswerCheck {
  readonly operator: '>' | '>=' | '<' | '<=' | '==';
  readonly length: number;
  /** As written. */
  readonly text: string;
}

const FORM = /^\s*len\(\s*input\s*\)\s*(>=|<=|==|>|<)\s*(\d{1,9})\s*$/;

/** Undefined when it is none: only `len(input) OP N` is. */
export function parseAnswerCheck(text: string): AnswerCheck | undefined {
  const [, operator, length] = FORM.exec(text) ?? [];
  const known = OPERATORS.find((one) => one === operator);
  return known && { operator: known, length: Number(length), text: text.trim() };
}

const OPERATORS = ['>', '>=', '<', '<=', '=='] as const;

/** What is wrong with the answer, for the person who gave it; undefined when it fits. */
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
