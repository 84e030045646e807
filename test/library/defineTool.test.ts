import assert from 'node:assert/strict';
import * as z from 'zod';
import { defineTool, EngineError, type Tool } from '../../src/library';

describe('a tool that a program defines', () => {
  const tool = <Input>(input: Tool<Input>['input']): Tool<Input> => ({
    ...{ name: 'acme_plan', description: 'Plans', category: 'read', input },
    title: () => 'Plan',
    permission: () => ({ tool: 'acme_plan', category: 'read' }),
    run: () => Promise.resolve({ text: '' }),
  });

  it('is told to models by the schema of its own zod', () => {
    const input = z.strictObject({ town: z.string().min(2).describe('Where'), days: z.number().optional() });
    assert.deepEqual(defineTool(tool(input)).parameters, {
      type: 'object',
      properties: { town: { type: 'string', minLength: 2, description: 'Where' }, days: { type: 'number' } },
      required: ['town'],
      additionalProperties: false,
    });
  });

  it('is refused where it is defined, when no model could be told what it takes', () =>
    assert.throws(
      () => defineTool(tool(z.strictObject({ day: z.date() }))),
      (error) =>
        EngineError.is(error, 'invalid-input') && /“acme_plan”.*cannot be told to a model.*Date/.test(error.message),
    ));
});
