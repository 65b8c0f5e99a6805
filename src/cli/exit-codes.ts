/** What the shell is told. */
export const exitCodes = {
  ok: 0,
  /** The thing was tried and did not work: a tool answered with an error, a check failed, a console is not there. */
  failed: 1,
  /** The command line, the environment or the configuration file is wrong. */
  usage: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
