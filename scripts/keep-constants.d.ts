export function variablesIn(paths: readonly string[]): Set<string>;
export function withConstants(text: string, variables: ReadonlySet<string>): string;
export function keepConstants(paths: readonly string[], variables: ReadonlySet<string>): void;
