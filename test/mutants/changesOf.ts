import ts from 'typescript';

/** A change of one node: its replacement, or undefined to remove a statement. */
export interface Change {
  readonly place: ts.Node;
  readonly replacement: string | undefined;
}

const OTHER_OPERATOR: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
};

/** The possible changes of the node itself. Its children have their own. */
export function changesOf(node: ts.Node): Change[] {
  return [
    ...negatedCondition(node),
    ...otherOperator(node),
    ...emptiedResult(node),
    ...removedStatement(node),
    ...otherConstant(node),
    ...droppedAwait(node),
    ...otherQuantifier(node),
  ];
}

function negatedCondition(node: ts.Node): Change[] {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return [negated(node.expression)];
  if (ts.isConditionalExpression(node)) return [negated(node.condition)];
  return [];
}

function negated(place: ts.Expression): Change {
  const isNegation = ts.isPrefixUnaryExpression(place) && place.operator === ts.SyntaxKind.ExclamationToken;
  return { place, replacement: isNegation ? place.operand.getText() : `!(${place.getText()})` };
}

function otherOperator(node: ts.Node): Change[] {
  if (!ts.isBinaryExpression(node)) return [];
  const [left, right] = [node.left.getText(), node.right.getText()];
  if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return [{ place: node, replacement: left }];
  const operator = OTHER_OPERATOR[node.operatorToken.kind];
  // Strings are also joined with +, which has no opposite.
  if (operator === undefined || (operator === '-' && /['"`]/.test(left + right))) return [];
  return [{ place: node, replacement: `(${left}) ${operator} (${right})` }];
}

function emptiedResult(node: ts.Node): Change[] {
  const result = resultOf(node);
  return result === undefined || result.getText() === 'undefined' ? [] : [{ place: result, replacement: 'undefined' }];
}

function resultOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isReturnStatement(node)) return node.expression;
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return node.body;
  return undefined;
}

function removedStatement(node: ts.Node): Change[] {
  if (ts.isExpressionStatement(node)) {
    const { expression } = node;
    const isParent = ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword;
    return isParent ? [] : [{ place: node, replacement: undefined }];
  }
  const isLeaving =
    ts.isThrowStatement(node) || ts.isContinueStatement(node) || (ts.isReturnStatement(node) && !node.expression);
  return isLeaving ? [{ place: node, replacement: undefined }] : [];
}

function otherConstant(node: ts.Node): Change[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ place: node, replacement: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ place: node, replacement: 'true' }];
  if (ts.isPropertyName(node) && 'name' in node.parent && node.parent.name === node) return [];
  if (ts.isNumericLiteral(node)) return [{ place: node, replacement: `(${node.getText()} + 1)` }];
  return ts.isStringLiteral(node) && isDecisive(node) ? [{ place: node, replacement: "''" }] : [];
}

/** Neither a sentence for users nor part of a comparison, which has its own change. */
function isDecisive(node: ts.StringLiteral): boolean {
  if (node.text === '' || node.text.includes(' ')) return false;
  // An attribute takes no expression without braces, and is mostly a style.
  if (ts.isJsxAttribute(node.parent)) return false;
  return !ts.isBinaryExpression(node.parent) && !ts.isCaseClause(node.parent) && !ts.isLiteralTypeNode(node.parent);
}

function droppedAwait(node: ts.Node): Change[] {
  return ts.isAwaitExpression(node) ? [{ place: node, replacement: node.expression.getText() }] : [];
}

const OTHER_QUANTIFIER: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
]);

function otherQuantifier(node: ts.Node): Change[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  const other = OTHER_QUANTIFIER.get(name.text);
  if (other === undefined) return [];
  const rest = node.getText().slice(name.getEnd() - node.getStart());
  return [{ place: node, replacement: `${expression.getText()}.${other}${rest}` }];
}
