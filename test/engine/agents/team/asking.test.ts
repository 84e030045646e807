import assert from 'node:assert/strict';
import type { Question, QuestionAnswer } from '../../../../src/engine';
import type { EngineWorld, Played } from '../../../support/engineWorld';
import type { ModelRequest } from '../../../support/modelServer/modelRequest';
import type { Story, StoryStep } from '../../../support/modelServer/story';
import { askedOf, inTeam, LEAD, toldAtAll, toldLast } from './leadWorld';
import {
  agentFile,
  call,
  calls,
  callsThenSays,
  collectAll,
  idsIn,
  isOf,
  leadsUntilDone,
  resultsIn,
  says,
  spawn,
} from './teamStory';

const confirm = (question: string) => call('user__confirm', { question });
const repeats: Parameters<typeof callsThenSays>[2] = (request) => ({ say: `Heard: ${resultsIn(request).join('; ')}` });
const escalationIn = (texts: readonly string[]) => /"escalation_id": "([^"]+)"/.exec(texts.join())?.[1];

describe('A question of a subagent', () => {
  it('reaches the user with its name', async () => {
    const asked: Question[] = [];
    const answer = (question: Question): QuestionAnswer => {
      asked.push(question);
      return { kind: 'answered', texts: ['yes'] };
    };
    await inTeam(
      [callsThenSays('worker', confirm('May I?'), repeats), leadsUntilDone(calls(spawn('worker', 'x')), '.')],
      { answer },
      async (world) => {
        await world.play('go', LEAD);
        assert.deepEqual(
          asked.map(({ agent, question }) => [agent, question]),
          [['worker', 'May I?']],
        );
        assert.match(toldLast(world), /Heard: [^"]*yes/);
      },
    );
  });

  it('may be answered by its parent, once', () =>
    inTeam(
      [
        callsThenSays('worker', confirm('Is it Tuesday?'), repeats),
        calls(spawn('worker', 'x')),
        collectAll,
        (request) => {
          const id = escalationIn(resultsIn(request));
          return calls(
            ['agent__reply_escalation', { escalation_id: id, reply: 'Yes, it is.' }],
            ['agent__reply_escalation', { escalation_id: id, reply: 'No.' }],
          );
        },
        (request) => call('agent__collect', { id: idsIn(request)[0] }),
        { say: '.' },
      ],
      {},
      async (world) => {
        await world.play('go', LEAD);
        const told = askedOf(world.server.requests, 'lead').map((one) => resultsIn(one).join('\n'));
        assert.match(
          told[2] ?? '',
          /"status": "pending"[^]*"from_agent_name": "worker",\s+"question": "Is it Tuesday\?"/,
        );
        assert.match(told[3] ?? '', /"original_question": "Is it Tuesday\?"[^]*may have been answered/);
        assert.match(told[4] ?? '', /"status": "completed"[^]*Heard: [^"]*yes/);
      },
    ));

  it('is passed to its parent when that would end without checking', () =>
    inTeam(
      [
        callsThenSays('worker', confirm('Blue?'), repeats),
        calls(spawn('worker', 'x')),
        { say: 'Done.' },
        ({ lastText }) => {
          assert.match(lastText, /agent_worker_\w+ asks \(question_\w+\): Blue\?/);
          return call('agent__reply_escalation', { escalation_id: /question_\w+/.exec(lastText)?.[0], reply: 'no' });
        },
        { say: 'Done.' },
        { say: 'Really.' },
      ],
      {},
      async (world) => {
        const { outcome } = await world.play('go', LEAD);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Really.' });
        assert.match(world.server.requests.findLast((one) => isOf(one, 'worker'))?.lastText ?? '', /no/i);
      },
    ));

  it('that times out tells the agent to continue alone, and leaves nothing behind (D-26)', () =>
    inTeam(
      [
        callsThenSays('worker', confirm('Anybody?'), repeats),
        calls(spawn('worker', 'x')),
        collectAll,
        collectAll,
        { say: 'First.' },
        { say: 'Second.' },
        { say: 'Third.' },
      ],
      { files: agentFile('worker', 'escalation_timeout: 0.2') },
      async (world) => {
        const played = await world.play('go', LEAD);
        const answered = played.events.find(({ type }) => type === 'question-answered');
        assert.ok(answered?.type === 'question-answered' && answered.answer.kind === 'nobody');
        const last = world.server.requests.findLast((one) => isOf(one, 'worker'));
        assert.match(last?.lastText ?? '', /judg|on your own|yourself/i);
        assert.doesNotMatch(world.server.requests.at(-1)?.lastText ?? '', /pending_escalations/);
      },
    ));

  it('about a variable without a value may be answered by its parent, and times out', async () => {
    const asking = 'variables:\n  - name: area\n    description: Where to look\n';
    const collectOrReply: StoryStep = (request) => {
      const id = escalationIn(resultsIn(request));
      return id === undefined
        ? call('agent__list')
        : call('agent__reply_escalation', { escalation_id: id, reply: 'src' });
    };
    const told = ({ server }: EngineWorld) =>
      server.requests.filter((one) => isOf(one, 'lead')).map((one) => resultsIn(one).join('\n'));
    const story: Story = [
      says('worker', { say: 'Looked.' }),
      ...[calls(spawn('worker', 'x')), collectAll, collectOrReply],
      ...[(request: ModelRequest) => call('agent__collect', { id: idsIn(request)[0] }), { say: '.' }],
    ];
    await inTeam(story, { files: agentFile('worker', asking) }, async (world) => {
      await world.play('go', LEAD);
      assert.match(told(world)[2] ?? '', /"from_agent_name": "worker",\s+"question": "Where to look \(area\)"/);
      assert.match(told(world)[4] ?? '', /"status": "completed"[^]*Looked\./);
    });
    const late = [calls(spawn('worker', 'x')), collectAll, collectAll, { say: 'Without it.' }];
    const files = agentFile('worker', `${asking}escalation_timeout: 0.2`);
    await inTeam(late, { files }, async (world) => {
      const { outcome } = await world.play('go', LEAD);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Without it.' });
      assert.match(told(world).join('\n'), /a value is missing: area \(Where to look\)/);
    });
  });

  it('can be pending with others, each answered separately', () =>
    inTeam(
      [
        says('worker', (request) =>
          resultsIn(request).length > 0
            ? { say: `${request.messages[1]?.text ?? ''} heard ${resultsIn(request)[0] ?? ''}` }
            : confirm(request.lastText),
        ),
        leadsUntilDone(calls(spawn('worker', 'red'), spawn('worker', 'blue')), '.'),
      ],
      { answer: ({ question }) => ({ kind: 'answered', texts: [question === 'red' ? 'yes' : 'no'] }) },
      async (world) => {
        await world.play('go', LEAD);
        const told = toldAtAll(world);
        assert.match(told, /red heard [^"]*yes/);
        assert.match(told, /blue heard [^"]*no/);
      },
    ));
});

describe('Approvals in a team', () => {
  const write = (path: string) => call('fs_write', { path, contents: 'x' });

  it('name the agent, and “always” applies to all', async () => {
    const asked: string[] = [];
    await inTeam(
      [
        says('worker', (request) =>
          resultsIn(request).length > 0 ? { say: 'Ok.' } : write(`${request.lastText}.txt`),
        ),
        calls(spawn('worker', 'one')),
        collectAll,
        calls(spawn('worker', 'two')),
        (request) => call('agent__collect', { id: idsIn(request)[1] }),
        write('three.txt'),
        { say: '.' },
      ],
      {
        approvalMode: 'edits-and-commands',
        approve: (request) => {
          asked.push(`${request.agent}: ${request.change?.relativePath ?? ''}`);
          const offer = request.offers.at(-1);
          return offer ? { kind: 'always', offer } : { kind: 'once' };
        },
      },
      async (world) => {
        await world.play('go', LEAD);
        assert.deepEqual(asked, ['worker: one.txt']);
        assert.equal(await world.read('three.txt'), 'x');
      },
    );
  });

  it('are asked one after another', async () => {
    let open = 0;
    let most = 0;
    await inTeam(
      [
        says('worker', (request) =>
          resultsIn(request).length > 0 ? { say: 'Ok.' } : write(`${request.lastText}.txt`),
        ),
        leadsUntilDone(calls(spawn('worker', 'one'), spawn('worker', 'two'), spawn('worker', 'three')), '.'),
      ],
      {
        approvalMode: 'edits-and-commands',
        approve: async () => {
          most = Math.max(most, ++open);
          await new Promise(setImmediate);
          open--;
          return { kind: 'once' };
        },
      },
      async (world) => {
        await world.play('go', LEAD);
        assert.equal(most, 1);
        assert.equal(await world.read('two.txt'), 'x');
      },
    );
  });
});

describe('Team messages', () => {
  it('reach siblings and the parent, and are read once', () =>
    inTeam(
      [
        says('first', (request) =>
          resultsIn(request).length > 0
            ? { say: 'Sent.' }
            : call('agent__send_message', { id: 'parent', message: 'Up.' }),
        ),
        says('second', (request) => {
          const [told] = resultsIn(request);
          if (told === undefined) return { ...call('agent__check_inbox'), hold: 'mail' };
          return { say: `Mail: ${/"content": "([^"]+)"/.exec(told)?.[1] ?? 'none'}` };
        }),
        calls(spawn('first', 'x'), spawn('second', 'y')),
        (request) =>
          calls(
            ['agent__send_message', { id: idsIn(request)[1], message: 'Down.' }],
            ['agent__send_message', { id: 'nobody', message: '?' }],
            ['agent__collect', { id: idsIn(request)[0] }],
          ),
        call('agent__check_inbox'),
        call('agent__check_inbox'),
        collectAll,
        { say: '.' },
      ],
      { files: { ...agentFile('first'), ...agentFile('second') } },
      async (world) => {
        const handle = world.run('go', LEAD);
        await world.server.untilRequests(6);
        world.server.release('mail');
        await handle.outcome;
        const told = askedOf(world.server.requests, 'lead').map((one) => resultsIn(one).join('\n'));
        assert.match(told[2] ?? '', /Nobody here is called “nobody”\. There are: agent_first_\w+, agent_second_\w+\./);
        assert.match(told[3] ?? '', /"from": "agent_first_\w+",[^]*"type": "text",\s+"content": "Up\."[^]*"count": 1/);
        assert.match(told[4] ?? '', /"count": 0/);
        assert.match(told[5] ?? '', /Mail: Down\./);
      },
    ));
});

describe('Team limits', () => {
  const usage = { input: 400, output: 100 };
  const limitOf = ({ outcome }: Played) => (outcome.kind === 'limit-reached' ? outcome.limit : outcome.kind);

  it('count the usage of all agents together', () =>
    inTeam(
      [
        says('worker', { say: '.', usage }),
        { ...calls(spawn('worker', 'x')), usage },
        { ...collectStep, usage },
        { say: 'No.' },
      ],
      {},
      async (world) => {
        assert.equal(limitOf(await world.play('go', { ...LEAD, limits: { tokens: 1400 } })), 'tokens');
      },
    ));

  it('leave a subagent half of what remains', () =>
    inTeam(
      [
        says('worker', { ...call('fs_ls'), usage }),
        { ...calls(spawn('worker', 'x')), usage },
        (request) => ({ ...call('agent__collect', { id: idsIn(request)[0] }), usage }),
        { say: 'Then not.' },
      ],
      {},
      async (world) => {
        const { outcome } = await world.play('go', { ...LEAD, limits: { tokens: 3500 } });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Then not.' });
        // Half of the 3500 tokens less the lead's 500 is enough for three turns of 500.
        assert.equal(askedOf(world.server.requests, 'worker').length, 3);
        assert.match(toldLast(world), /"state": "limit-reached"/);
      },
    ));
});

/** For use where the id of an agent to collect does not matter, since the call is never answered. */
const collectStep = call('agent__list');
