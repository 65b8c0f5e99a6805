import { type Bench, costlyRegexes } from './bench.ts';

/** A serial line that floods, once its guest listens there. */
export function consoleBench(port: number): Bench {
  const wait = { timeout_ms: 700 };
  return {
    name: 'console',
    files: { 'file.bin': () => new Uint8Array(1_000_000) },
    machine: { kind: 'console', name: 'm', options: { port, columns: 500, rows: 200 } },
    calls: [
      ...costlyRegexes.map((regex) => ({
        tool: 'console_read',
        what: `waiting for /${regex}/ in a flood`,
        input: { from: 'start', expect: `/${regex}[#]/`, ...wait },
      })),
      {
        tool: 'console_read',
        what: 'seventeen patterns at once',
        input: {
          from: 'start',
          expect: '/[ab ]*[a ][ab ]{240}[#]/',
          fail_on: Array.from({ length: 16 }, (_, number) => `/[ab ]*[b ][ab ]{${200 + number}}[#]/`),
          ...wait,
        },
      },
      {
        tool: 'console_read',
        what: 'a pattern that grows',
        input: { expect: '/((((a{10}){10}){10}){10})/' },
        refused: /not a regular expression|grows too large/,
      },
      { tool: 'console_read', what: 'the screen', input: { view: 'screen' }, times: 5 },
      { tool: 'console_read', what: 'as hex', input: { from: 'start', view: 'hex', max_chars: 28_000 }, times: 5 },
      { tool: 'console_read', what: 'raw', input: { from: 'start', view: 'raw', max_chars: 28_000 }, times: 5 },
      {
        tool: 'console_setup',
        what: 'a screen as large as there may be',
        input: { columns: 500, rows: 200 },
        times: 3,
      },
      {
        tool: 'console_record',
        what: 'with all history',
        input: { action: 'start', path: 'flood.log', history: true },
      },
      { tool: 'console_record', what: 'an end', input: { action: 'stop' } },
      {
        tool: 'console_send',
        what: 'much text',
        input: { text: 'x'.repeat(100_000), quiet_ms: 0, mode: 'nonblocking' },
      },
      { tool: 'console_send', what: 'many keys', input: { keys: Array(200).fill('f10'), quiet_ms: 0 } },
      {
        tool: 'console_login',
        what: 'where nobody answers',
        input: { user: 'root', fail_on: costlyRegexes.map((regex) => `/${regex}[#]/`), timeout_ms: 1000 },
      },
      {
        tool: 'file_put',
        what: 'where nobody answers',
        input: { path: 'file.bin', to: '/tmp/x', timeout_ms: 700 },
        refused: /./,
      },
      {
        tool: 'file_get',
        what: 'where nobody answers',
        input: { from: '/dev/zero', path: 'got.bin', timeout_ms: 700 },
        refused: /./,
      },
    ],
  };
}
