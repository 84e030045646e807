import assert from 'node:assert/strict';
import * as z from 'zod';
import { defineTool, EngineError, type Tool } from '../../src/library';

describe('A tool defined by a program', () => {
  const tool = <Input>(input: Tool<Input>['input']): Tool<Input> => ({
    ...{ name: 'acme_plan', description: 'Plans', category: 'read', input },
    title: () => 'Plan',
    permission: () => ({ tool: 'acme_plan', category: 'read' }),
    run: () => Promise.resolve({ text: '' }),
  });

  it('is described to models by the schema of its own zod', () => {
    const input = z.strictObject({ town: z.string().min(2).describe('Where'), days: z.number().optional() });
    assert.deepEqual(defineTool(tool(input)).parameters, {
      type: 'object',
      properties: { town: { type: 'string', minLength: 2, description: 'Where' }, days: { type: 'number' } },
      required: ['town'],
      additionalProperties: false,
    });
  });

  const misfits: [Record<string, unknown>, RegExp][] = [
    [{ timeout: 5 }, /“acme_plan”.*“timeout” \(did you mean “timeoutMs”\?\)/],
    [{ timeoutMs: '5' }, /“timeoutMs”: expected a number above 0/],
    [{ inputSchema: { type: 'object' } }, /unknown field “inputSchema”/],
    [{ input: { type: 'object' } }, /“input”: expected a schema of zod 4/],
    [{ run: undefined }, /“run”: expected a function/],
  ];
  for (const [misfit, names] of misfits) {
    it(`is rejected for an invalid field: ${Object.keys(misfit).join()}`, () => {
      const given = z.custom<Tool>(() => true).parse({ ...tool(z.strictObject({})), ...misfit });
      assert.throws(
        () => defineTool(given),
        (error) => EngineError.is(error, 'invalid-input') && names.test(error.message),
      );
    });
  }

  it('can be an instance of a class with its own fields', () => {
    class Planner {
      plans = 0;
      readonly name = 'acme_plan';
      readonly description = 'Plans';
      readonly category = 'read';
      readonly input = z.strictObject({});
      title() {
        return 'Plan';
      }
      permission(): ReturnType<Tool['permission']> {
        return { tool: this.name, category: this.category };
      }
      run() {
        return Promise.resolve({ text: String(++this.plans) });
      }
    }
    assert.equal(defineTool(new Planner()).name, 'acme_plan');
  });

  it('is rejected at definition if its input cannot be described to a model', () =>
    assert.throws(
      () => defineTool(tool(z.strictObject({ day: z.date() }))),
      (error) =>
        EngineError.is(error, 'invalid-input') &&
        /“acme_plan”.*cannot be described to a model.*Date/.test(error.message),
    ));
});
