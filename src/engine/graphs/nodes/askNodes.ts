import { EngineError } from '../../engineError';
import type { QuestionAnswer } from '../../events/agentEvent';
import type { GraphDesk } from '../desk';
import { answerProblem, type ApprovalNode, type Graph, type InputNode } from '../graph';
import type { GraphState } from '../graphState';
import type { NodeOutcome } from '../position';
import { lenientText, strictText, updatesOf } from './nodeRoom';

/** Thrown if nobody could or would answer a question without a valid default. */
export class NobodyAnswered extends EngineError {
  /** `unfit`: why the default fails its check. */
  constructor(node: string, unfit?: string) {
    const [why, remedy] =
      unfit === undefined
        ? ['which has no default', 'give the node a default']
        : [`and its default fails its check: ${unfit.replace(/\.$/, '')}`, 'correct the default'];
    super(
      'invalid-state',
      `Nobody was available to answer “${node}”, ${why}. Run the graph where someone can answer, or ${remedy}.`,
    );
  }
}

interface Place {
  readonly graph: Graph;
  readonly state: GraphState;
  readonly desk: Pick<GraphDesk, 'askPerson'>;
  readonly signal: AbortSignal;
}

/** Maximum number of answers to one question that fail its check: no user gives as many, but a program would do so without end. */
const MOST_WRONG = 50;

/** Asks until the answer passes its check. Rejects if too many do not. */
export async function runInput(node: InputNode, { graph, state, desk, signal }: Place): Promise<NodeOutcome> {
  const question = strictText(node.question, state, graph);
  const given = node.default === undefined ? '' : lenientText(node.default, state, graph);
  const suffix = given === '' ? '' : ` [default: ${given}]`;
  let problem: string | undefined;
  for (let wrong = 0; wrong < MOST_WRONG; wrong++) {
    const words = `${problem === undefined ? '' : `${problem}\n\n`}${question}${suffix}`;
    const asked = { question: words, kind: 'input' as const, options: [] };
    const answer = await desk.askPerson(node.id, asked, signal);
    const input = textIn(answer) || given;
    problem = node.check && answerProblem(node.check, input);
    if (problem === undefined && (answer.kind === 'answered' || given !== '')) {
      return { writes: updatesOf(node, state, { input }, graph), targets: node.next.slice(0, 1), output: input };
    }
    if (answer.kind === 'nobody') throw new NobodyAnswered(node.id, given === '' ? undefined : problem);
  }
  throw new Error(
    `It asked ${MOST_WRONG} times, and no answer passed its check “${node.check?.text}”. ${problem} Correct what answers it, or its validation.`,
  );
}

export async function runApproval(node: ApprovalNode, { graph, state, desk, signal }: Place): Promise<NodeOutcome> {
  const question = strictText(node.question, state, graph);
  const asked = { question, kind: 'choice' as const, options: node.options };
  const answer = await desk.askPerson(node.id, asked, signal);
  const said = answer.kind === 'answered' ? textIn(answer) : node.default;
  // Options are shown without surrounding whitespace and without the line break that YAML leaves.
  const choice = node.options.find((option) => option.trim() === said) ?? said;
  if (choice === undefined) throw new NobodyAnswered(node.id);
  const target = node.routes.get(choice) ?? node.onOther;
  return { writes: updatesOf(node, state, { choice }, graph), targets: [target], output: choice };
}

function textIn(answer: QuestionAnswer): string {
  return answer.kind === 'answered' ? answer.texts.join(', ').trim() : '';
}
