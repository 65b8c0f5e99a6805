import type { SurfaceTool } from '../surface.ts';
import { fixture, pause, png, text, wav } from './content.ts';

const picture = { type: 'image' as const, data: png, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
});

const address = {
  $anchor: 'addressDef',
  type: 'object',
  properties: { street: { type: 'string' }, city: { type: 'string' } },
};

/** Fixtures that only answer, log or report progress. */
export const plainTools: readonly SurfaceTool[] = [
  fixture('test_simple_text', async () => text('This is a simple text response for testing.')),
  fixture('test_image_content', async () => ({ content: [picture] })),
  fixture('test_audio_content', async () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] })),
  fixture('test_embedded_resource', async () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  })),
  fixture('test_multiple_content_types', async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      picture,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  fixture('test_error_handling', async () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  fixture('test_tool_with_logging', async (_input, request) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await request.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      await pause(50);
    }
    return text('logged');
  }),
  fixture('test_logging_tool', async (_input, request) => {
    await request.mcpReq.log('info', 'sent only where the request asked for it');
    return text('logged');
  }),
  fixture('test_tool_with_progress', async (_input, request) => {
    const progressToken = request.mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` };
      await request.mcpReq.notify({ method: 'notifications/progress', params });
      await pause(50);
    }
    return text(String(progressToken));
  }),
  fixture('json_schema_2020_12_tool', async (input) => text(JSON.stringify(input)), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
  fixture('test_x_mcp_header', async (input) => text(JSON.stringify(input ?? {})), {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  }),
  fixture('test_reconnection', async (_input, request) => {
    request.http?.closeSSE?.();
    await pause(100);
    return text('reconnected');
  }),
  fixture('test_streaming_elicitation', async () => text('no requests on this stream')),
];
