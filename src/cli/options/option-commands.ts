import type { Command } from '../commands.ts';

export const server: readonly Command[] = ['stdio', 'serve'];
/** Those that last, and keep machines. */
export const lasting: readonly Command[] = ['stdio', 'serve', 'station'];
/** Commands that keep machines in their own process. */
export const rack: readonly Command[] = ['stdio', 'serve', 'station', 'dap', 'call', 'tools'];
/** Of those, the ones with tools of agents. */
export const agents: readonly Command[] = ['stdio', 'serve', 'call', 'tools'];
export const http: readonly Command[] = ['serve'];
