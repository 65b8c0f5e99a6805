import { acceptedContent, inputRequired, type PromptMessage } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SurfacePrompt } from '../surface.ts';
import { oneString, png } from './content.ts';

const message = (value: string): PromptMessage => ({ role: 'user', content: { type: 'text', text: value } });

function prompt(name: string, get: SurfacePrompt['get'], args: readonly string[] = []): SurfacePrompt {
  const required = args.map((argument) => ({ name: argument, description: argument, required: true }));
  return { definition: { name, description: `Conformance fixture ${name}`, arguments: required }, get };
}

export const conformancePrompts: readonly SurfacePrompt[] = [
  prompt('test_simple_prompt', async () => ({ messages: [message('This is a simple prompt for testing.')] })),
  {
    ...prompt(
      'test_prompt_with_arguments',
      async ({ arg1, arg2 }) => ({
        messages: [message(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
      }),
      ['arg1', 'arg2'],
    ),
    complete: (argument, typed) =>
      argument === 'arg1' ? ['paris', 'park', 'party'].filter((value) => value.startsWith(typed)) : [],
  },
  prompt(
    'test_prompt_with_embedded_resource',
    async ({ resourceUri = '' }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        message('Please process the embedded resource above.'),
      ],
    }),
    ['resourceUri'],
  ),
  prompt('test_prompt_with_image', async () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } },
      message('Please analyze the image above.'),
    ],
  })),
  prompt('test_input_required_result_prompt', async (_args, request) => {
    const given = acceptedContent(request.mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }));
    if (given) return { messages: [message(`Use: ${given.context}`)] };
    const question = inputRequired.elicit({ message: 'What context?', requestedSchema: oneString('context') });
    return inputRequired({ inputRequests: { user_context: question } });
  }),
];
