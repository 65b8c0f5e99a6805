/** What the operator lets agents do on this computer. Set when the server starts; no call changes it. */
export interface Policy {
  /** Undefined: every kind. */
  readonly kinds: readonly string[] | undefined;
  /** Networks that guests may be put on. */
  readonly networks: readonly string[];
  /** The host to connect to for this one, checked anew each time because names may come to mean other addresses. */
  tcpHost(host: string, port: number): Promise<string>;
  /** For people and agents. */
  readonly rules: readonly PolicyRule[];
}

export interface PolicyRule {
  readonly topic: string;
  readonly allows: string;
  /** The option that sets it. */
  readonly option: string;
}
