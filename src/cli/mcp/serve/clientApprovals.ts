import { safeLine } from '../../../base/shown/safeText';
import * as z from '../../../base/zod';
import type { ApprovalAnswer, ApprovalHandler, ApprovalRequest } from '../../../engine';
import { approvalDetails } from '../../terminalApprovals';

/** Shows a form to the user of the client program. Rejects when that fails. */
type AskClient = (message: string, schema: typeof FORM, signal: AbortSignal) => Promise<unknown>;

const ALLOW = 'Allow';
const REJECT = 'Reject';

const FORM = {
  type: 'object' as const,
  properties: {
    answer: { type: 'string' as const, title: 'Allow it?', enum: [ALLOW, REJECT] },
    reason: { type: 'string' as const, title: 'Why not', description: 'Sent to the agent if you reject.' },
  },
  required: ['answer'],
};

const answerSchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.optional(
    z.object({ answer: z.optional(z.enum([ALLOW, REJECT])), reason: z.optional(z.string().check(z.maxLength(4000))) }),
  ),
});

/** Clients lay out forms as they like, so anything that might not be fully visible is rejected without asking. */
const MOST_LINES = 60;
const MOST_CHARACTERS = 6000;
const LINE = 500;

const TOO_LONG = 'It is too long for the program that started “cairn mcp serve” to show in full.';
const UNSEEN = 'It holds characters that the program that started “cairn mcp serve” may not show.';

/** Asks for approvals through forms in the client that started the server. Until `connect` is called, requests go to `otherwise`. */
export class ClientApprovals implements ApprovalHandler {
  private client: AskClient | undefined;

  constructor(private readonly otherwise: ApprovalHandler) {}

  connect(client: AskClient): void {
    this.client = client;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (!this.client) return this.otherwise.ask(request, signal);
    const message = messageOf(request);
    if (typeof message !== 'string') return { kind: 'reject', by: 'nobody', reason: message.refused };
    try {
      return toAnswer(await this.client(message, FORM, signal));
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      return {
        kind: 'reject',
        by: 'nobody',
        reason: `The program that was asked for approval failed: ${safeLine(why)}`,
      };
    }
  }
}

function messageOf(request: ApprovalRequest): string | { refused: string } {
  const { lines, warning } = approvalDetails(request);
  if (warning !== null) return { refused: UNSEEN };
  const shown = lines.map(({ text }) => `  ${text}`);
  const whole = [`${safeLine(request.agent)}: ${safeLine(request.title, LINE, 'exact')}`, ...shown].join('\n');
  if (shown.length > MOST_LINES || whole.length > MOST_CHARACTERS) return { refused: TOO_LONG };
  return `${whole}\n${safeLine(request.reason, LINE)}`;
}

/** Only an explicit yes counts as approval. */
function toAnswer(result: unknown): ApprovalAnswer {
  const { data } = answerSchema.safeParse(result);
  if (data?.action === 'accept' && data.content?.answer === ALLOW) return { kind: 'once' };
  const reason = data?.content?.reason?.trim();
  return { kind: 'reject', by: 'person', ...(reason && { reason }) };
}
