import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { Origins } from './origins.ts';

const panel = 'https://panel.example:8443';
const asked = (headers: Record<string, string>, method = 'POST') =>
  ({ method, headers: { host: '127.0.0.1:4000', ...headers } }) as unknown as IncomingMessage;

test.each([
  [panel, true],
  ['https://panel.example', false],
  ['http://panel.example:8443', false],
  ['https://other.panel.example:8443', false],
  ['http://127.0.0.1:4000', true],
])('of a page of %s requests and sockets are taken: %s', (origin, isTaken) => {
  const origins = new Origins([panel]);
  expect(origins.admits(asked({ origin }))).toBe(isTaken);
  expect(origins.admitsSocket(asked({ origin }))).toBe(isTaken);
});

test('a page of this computer may send requests and open no socket', () => {
  const page = asked({ origin: 'http://localhost:5173' });
  expect(new Origins([]).admits(page)).toBe(true);
  expect(new Origins([]).admitsSocket(page)).toBe(false);
});

test('only pages of named origins may read answers', () => {
  const origins = new Origins([panel]);
  expect(origins.grants(asked({ origin: panel }))).toEqual({
    vary: 'Origin',
    'access-control-allow-origin': panel,
    'access-control-expose-headers': expect.stringContaining('mcp-session-id'),
  });
  expect(origins.grants(asked({ origin: 'http://localhost:5173' }))).toEqual({ vary: 'Origin' });
  expect(new Origins([]).grants(asked({ origin: panel }))).toEqual({});
});

test('a browser that asks first is told what such a page may send', () => {
  const origins = new Origins([panel]);
  const wish = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'Authorization, Mcp-Session-Id, x-other',
  };
  expect(origins.preflight(asked({ origin: panel, ...wish }, 'OPTIONS'))).toEqual({
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'authorization, mcp-session-id',
    'access-control-max-age': '600',
  });
  for (const request of [
    asked({ origin: 'https://evil.example', ...wish }, 'OPTIONS'),
    asked({ origin: panel }, 'OPTIONS'),
    asked({ origin: panel, ...wish }),
    asked(wish, 'OPTIONS'),
  ]) {
    expect(origins.preflight(request)).toBeUndefined();
  }
});
