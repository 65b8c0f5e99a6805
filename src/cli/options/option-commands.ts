import type { Command } from '../commands.ts';

export const server: readonly Command[] = ['stdio', 'serve'];
/** Commands that keep machines in their own process. */
export const rack: readonly Command[] = ['stdio', 'serve', 'dap', 'call', 'tools'];
/** Of those, the ones with tools of agents. */
export const agents: readonly Command[] = ['stdio', 'serve', 'call', 'tools'];
export const http: readonly Command[] = ['serve'];
