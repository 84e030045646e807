import type { ApprovalAnswer, ApprovalRequest } from '../permissions/approvalHandler';
import { struckMessage, struckReply } from '../secrets/struckMessage';
import type { AgentEventBody } from './agentEvent';
import { struckOutcome } from './struckOutcome';

type Strike = (text: string) => string;

/**
 * What happened, without what `strike` takes out of its texts. Pieces of texts stay as they are, and so do results, which were
 * struck when they were made.
 */
export function struckEvent(body: AgentEventBody, strike: Strike): AgentEventBody {
  switch (body.type) {
    case 'notice':
    case 'session-compressed':
      return { ...body, text: strike(body.text) };
    case 'tool-prepared':
    case 'session-renamed':
      return { ...body, title: strike(body.title) };
    case 'message-taken': {
      const message = struckMessage(body.message, strike);
      return message.role === 'user' ? { ...body, message } : body;
    }
    case 'reply-finished':
      return { ...body, message: struckReply(body.message, strike) };
    case 'agent-spawned':
      return { ...body, task: strike(body.task) };
    case 'agent-finished':
    case 'run-finished':
      return { ...body, outcome: struckOutcome(body.outcome, strike) };
    case 'approval-requested':
      return { ...body, request: struckRequest(body.request, strike) };
    case 'approval-answered':
      return { ...body, answer: struckAnswer(body.answer, strike) };
    case 'question-asked': {
      const { question } = body;
      return { ...body, question: { ...question, question: strike(question.question) } };
    }
    case 'question-answered':
      return body.answer.kind === 'nobody'
        ? body
        : { ...body, answer: { ...body.answer, texts: body.answer.texts.map(strike) } };
    case 'todo-changed':
      return { ...body, items: body.items.map((item) => ({ ...item, text: strike(item.text) })) };
    default:
      return body;
  }
}

/** All else of it was struck when it was made; only who has to show the change itself is handed it as it is. */
function struckRequest(request: ApprovalRequest, strike: Strike): ApprovalRequest {
  const { change } = request;
  if (!change) return request;
  const { before, after, proposed } = change;
  const texts = { before: before === null ? null : strike(before), after: strike(after) };
  return { ...request, change: { ...change, ...texts, ...(proposed !== undefined && { proposed: strike(proposed) }) } };
}

function struckAnswer(answer: ApprovalAnswer, strike: Strike): ApprovalAnswer {
  if (answer.kind === 'reject')
    return { ...answer, ...(answer.reason !== undefined && { reason: strike(answer.reason) }) };
  const { contents, basedOn } = answer;
  return {
    ...answer,
    ...(contents !== undefined && { contents: strike(contents) }),
    ...(basedOn !== undefined && { basedOn: strike(basedOn) }),
  };
}
