import { describe, expect, test } from 'vitest';
import { mirroredArguments, paramHeaderFault } from './param-headers.ts';

const mirrored = mirroredArguments({
  name: 'x',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      plain: { type: 'string' },
      where: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
    },
  },
});
const fault = (args: unknown, headers: Record<string, string>) =>
  paramHeaderFault(mirrored, args, new Headers(headers));

test('the schema says which arguments are repeated', () => {
  expect(mirrored.map(({ header, path }) => [header, path])).toEqual([
    ['Mcp-Param-Region', ['region']],
    ['Mcp-Param-Count', ['where', 'count']],
  ]);
});

describe('headers and arguments', () => {
  test.each([
    [{}, {}],
    [{ region: null }, {}],
    [{}, { 'mcp-param-region': 'nobody asked' }],
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: 'eu' }, { 'mcp-param-region': `=?base64?${btoa('eu')}?=` }],
    [{ region: '=?base64?' }, { 'mcp-param-region': '=?base64?' }],
    [{ where: { count: 42 } }, { 'mcp-param-count': '42.0' }],
    [{ region: {} }, {}],
    [null, {}],
    [{ __proto__: { region: 'eu' } }, {}],
  ])('%j and %j agree', (args, headers) => {
    expect(fault(args, headers)).toBeUndefined();
  });

  test.each([
    [{ region: 'eu' }, {}, /Mcp-Param-Region is missing/],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }, /differ/],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?ZX?=' }, /not encoded/],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?Z*U=?=' }, /not encoded/],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?/w==?=' }, /not encoded/],
    [{ where: { count: 0 } }, { 'mcp-param-count': '' }, /differ/],
  ])('%j and %j do not', (args, headers, why) => {
    expect(fault(args, headers)).toMatch(why);
  });
});
