/** The machine's own command language, for what no tool covers. */
export interface MonitorCapability {
  /** `qmp`, `hmp` …; the first is the default. */
  readonly languages: readonly string[];
  /** The answer as the monitor gave it. */
  execute(language: string, command: string, args: Readonly<Record<string, unknown>>): Promise<string>;
}
