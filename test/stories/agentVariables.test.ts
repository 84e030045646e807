import assert from 'node:assert/strict';
import { story } from '../editor/story';

const agent = `---
variables:
  - { name: city, description: Which city do you mean }
---
Guide to {{city}}.
`;

describe('An agent with variables', () => {
  story(
    'asks for them in the panel before it starts',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      files: { '.cairn/agents/coder.md': agent },
      model: [({ messages }) => ({ say: messages[0]?.text.split('\n', 1)[0] ?? '' })],
    },
    async ({ panel }) => {
      await panel.open();
      await panel.send('where am I?');
      assert.match(await panel.waitForQuestion(), /Which city do you mean/);
      await panel.answer('Oslo');
      await panel.waitForText('Guide to Oslo.', 'text');
    },
  );
});
