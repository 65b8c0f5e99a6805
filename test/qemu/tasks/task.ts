/** Calls a tool as an agent does and hands back the text of its answer. */
export type Call = (tool: string, args?: Readonly<Record<string, unknown>>) => Promise<string>;

/** Something to find out with the tools alone, and a way that does. */
export interface Task {
  readonly name: string;
  /** As a person would ask it. */
  readonly question: string;
  /** More calls than this are too many. */
  readonly mostCalls: number;
  /** Prepares files, outside of the calls that count. */
  prepare(): Promise<Readonly<Record<string, string>>>;
  /** Answers with what was found. */
  script(call: Call, files: Readonly<Record<string, string>>): Promise<string>;
  /** What an answer has to say. */
  readonly expected: RegExp;
}
