import { bash } from './completion/bash.ts';
import { fish } from './completion/fish.ts';
import { zsh } from './completion/zsh.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/** A script that a shell sources. `toolNames` are offered where a tool is named. */
export function completionScript(shell: Shell, toolNames: readonly string[]): string {
  return { bash, zsh, fish }[shell](toolNames);
}
