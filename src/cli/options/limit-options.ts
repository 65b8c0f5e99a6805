import { availableParallelism } from 'node:os';
import type { Command } from '../commands.ts';
import { hasFewDescriptors } from '../in-stages.ts';
import type { OptionRow } from '../option-row.ts';
import { http, lasting, rack } from './option-commands.ts';

const mostThreads = 64;

/**
 * A server for many leaves one processor to those who call; one that a client started has its client's machines alone.
 * A thread loads its modules itself, for which it needs descriptors.
 */
function usualThreads(command: Command): number {
  if ((command !== 'serve' && command !== 'station') || hasFewDescriptors()) return 0;
  return Math.min(availableParallelism() - 1, mostThreads);
}

/** What is written down, and how much of everything there may be. */
export const limitOptions = {
  journal: {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Append every call with its arguments, answer and duration to a file, one JSON object per line.',
    group: 'logging',
    commands: rack,
  },
  audit: {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary:
      'Append who did what to a file: time, client, role, address, tool, machine, outcome, one JSON object per line.',
    group: 'logging',
    commands: rack,
  },
  'log-level': {
    type: 'choice',
    choices: ['debug', 'info', 'notice', 'warning', 'error'],
    default: 'info',
    summary: 'The lowest level of messages to log.',
    group: 'logging',
    commands: rack,
  },
  'log-file': {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Write the log to a file.',
    defaultText: 'standard error',
    group: 'logging',
    commands: rack,
  },
  'max-machines': {
    type: 'number',
    default: 32,
    min: 1,
    max: 10_000,
    placeholder: 'COUNT',
    summary: 'Machines that may exist at the same time.',
    group: 'limits',
    commands: lasting,
  },
  threads: {
    type: 'number',
    default: 0,
    defaultFor: usualThreads,
    defaultText: 'processors minus one for serve and station, 0 for others and where fewer than 256 files may be open',
    min: 0,
    max: mostThreads,
    placeholder: 'COUNT',
    summary: 'Threads for built-in machines, each started when needed; 0 runs them on the main thread.',
    group: 'limits',
    commands: lasting,
  },
  'max-sessions': {
    type: 'number',
    default: 64,
    min: 1,
    max: 100_000,
    placeholder: 'COUNT',
    summary: 'MCP sessions that may be open at the same time.',
    group: 'limits',
    commands: http,
  },
  'max-streams': {
    type: 'number',
    default: 10,
    min: 1,
    max: 100_000,
    placeholder: 'COUNT',
    summary: 'Clients that may have a notification stream open at the same time.',
    group: 'limits',
    commands: http,
  },
  'max-connections': {
    type: 'number',
    default: 256,
    min: 1,
    max: 100_000,
    placeholder: 'COUNT',
    summary: 'TCP connections that may be open at the same time.',
    group: 'limits',
    commands: http,
  },
  'max-rate': {
    type: 'number',
    default: 1000,
    min: 1,
    max: 1_000_000,
    placeholder: 'COUNT',
    summary: 'Requests per second from one client.',
    group: 'limits',
    commands: http,
  },
  'max-body-bytes': {
    type: 'number',
    default: 4 * 1024 * 1024,
    min: 1024,
    max: 1024 * 1024 * 1024,
    placeholder: 'BYTES',
    summary: 'Maximum size of one HTTP request.',
    group: 'limits',
    commands: http,
  },
  'max-trace-bytes': {
    type: 'number',
    default: 10_000_000,
    min: 1024,
    max: 1024 * 1024 * 1024,
    placeholder: 'BYTES',
    summary: 'Maximum size of one trace of instructions or frames.',
    group: 'limits',
    commands: [...rack, 'replay'],
  },
  'max-history-bytes': {
    type: 'number',
    default: 1024 * 1024 * 1024,
    min: 0,
    max: 64 * 1024 * 1024 * 1024,
    placeholder: 'BYTES',
    summary: 'Memory for the pasts of all built-in machines together; the oldest moments are dropped first.',
    group: 'limits',
    commands: [...rack, 'replay'],
  },
  'max-annotations': {
    type: 'number',
    default: 100_000,
    min: 0,
    max: 100_000_000,
    placeholder: 'COUNT',
    summary: 'Maximum number of @mcp- annotations kept for one machine, and of marks in one console recording.',
    group: 'limits',
    commands: [...rack, 'replay'],
  },
} as const satisfies Record<string, OptionRow>;
