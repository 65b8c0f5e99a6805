/** The commands of a monitor that the operator lets agents give. */
export class MonitorCommands {
  /** Those that are known to stay inside the machine. */
  readonly safe: boolean;
  readonly #names: readonly string[];

  constructor(allowed: readonly string[] = ['safe']) {
    this.safe = allowed.includes('safe');
    this.#names = allowed.filter((name) => name !== 'safe');
  }

  /** Whether the operator has named this one, which is allowed with any arguments then. */
  names(command: string): boolean {
    return this.#names.some((name) => (name.endsWith('*') ? command.startsWith(name.slice(0, -1)) : command === name));
  }

  get described(): string {
    return this.#names.length === 0 ? 'no commands for monitors' : `only ${this.#names.join(', ')}`;
  }
}
