import { clipEnd } from '../../../base/truncate';
import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { nameIn } from './spawnTools';
import { teamOutput } from './teamOutput';

const sendInput = z.strictObject({
  id: z.string().min(1).describe('Of an agent that you started, of one beside you, or "parent"'),
  message: z.string().min(1),
});
const replyInput = z.strictObject({ escalation_id: z.string().min(1), reply: z.string().min(1) });
const noInput = z.strictObject({});

/** Words between agents. */
export function messageTools(): AnyTool[] {
  return [sendTool(), inboxTool(), replyTool()];
}

function sendTool(): AnyTool {
  return defineTool<z.infer<typeof sendInput>>({
    name: 'agent__send_message',
    description: 'Sends a message to another agent of this team, who sees it when it looks into its inbox.',
    category: 'agent',
    traits: { kind: 'team', roles: ['sends-messages'] },
    input: sendInput,
    title: ({ id, message }) => `To ${nameIn(id)}: ${clipEnd(message, 80)}`,
    permission: () => ({ tool: 'agent__send_message', category: 'agent' }),
    run({ id, message }, { team }) {
      team.send(id, message);
      return Promise.resolve(teamOutput({ status: 'ok', message: `Sent to ${id}.` }));
    },
  });
}

function inboxTool(): AnyTool {
  return defineTool<z.infer<typeof noInput>>({
    name: 'agent__check_inbox',
    description: 'Gives the messages that other agents sent you since your last look.',
    category: 'agent',
    traits: { kind: 'team', roles: ['sends-messages'], doing: 'Looking' },
    input: noInput,
    title: () => 'Look into the inbox',
    permission: () => ({ tool: 'agent__check_inbox', category: 'agent' }),
    run(_, { team }) {
      const messages = team.inbox();
      return Promise.resolve(teamOutput({ messages, count: messages.length }));
    },
  });
}

function replyTool(): AnyTool {
  return defineTool<z.infer<typeof replyInput>>({
    name: 'agent__reply_escalation',
    description:
      'Answers a question of an agent that you started, when you know the answer. Otherwise the person does.',
    category: 'agent',
    traits: { kind: 'team' },
    input: replyInput,
    title: ({ reply }) => `Answer: ${clipEnd(reply, 80)}`,
    permission: () => ({ tool: 'agent__reply_escalation', category: 'agent' }),
    run({ escalation_id: id, reply }, { team }) {
      const question = team.reply(id, reply);
      return Promise.resolve(teamOutput({ status: 'ok', message: 'Answered.', original_question: question }));
    },
  });
}
