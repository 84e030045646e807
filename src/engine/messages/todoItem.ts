import * as z from '../../base/zod';

export const todoItemSchema = z.object({ id: z.int(), text: z.string(), done: z.boolean() });
/** One step of the plan that the agent keeps for itself and for the person. */
export type TodoItem = z.infer<typeof todoItemSchema>;
