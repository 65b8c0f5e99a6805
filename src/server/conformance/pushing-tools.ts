import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { SurfaceTool } from '../surface.ts';
import { fixture, oneString, text } from './content.ts';

type Form = ElicitRequestFormParams['requestedSchema'];

function eliciting(name: string, properties: Form['properties'], required: string[] = []): SurfaceTool {
  const schema = { type: 'object' as const, properties: { message: { type: 'string' } } };
  return fixture(
    name,
    async (input, request) => {
      const answer = await request.mcpReq.elicitInput({
        mode: 'form',
        message: stringOf(input, 'message') ?? name,
        requestedSchema: { type: 'object', properties, required },
      });
      return text(`action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
    },
    schema,
  );
}

function stringOf(input: unknown, key: string): string | undefined {
  const value = typeof input === 'object' && input !== null ? Reflect.get(input, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}

const titled = ['First', 'Second', 'Third'].map((name, index) => ({
  const: `value${index + 1}`,
  title: `${name} Option`,
}));

/** Fixtures of the earlier protocols, in which the server sends requests to the client. */
export const pushingTools: readonly SurfaceTool[] = [
  fixture(
    'test_sampling',
    async (input, request) => {
      const answer = await request.mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: stringOf(input, 'prompt') ?? '' } }],
        maxTokens: 100,
      });
      return text(`LLM response: ${JSON.stringify(answer.content)}`);
    },
    oneString('prompt'),
  ),
  eliciting(
    'test_elicitation',
    {
      username: { type: 'string', description: "User's response" },
      email: { type: 'string', description: "User's email address" },
    },
    ['username', 'email'],
  ),
  eliciting('test_elicitation_sep1034_defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  eliciting('test_elicitation_sep1330_enums', {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  }),
];
