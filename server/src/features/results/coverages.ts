/** What a source says that it looked at: a result there that it does not show is gone. */
export type Coverage =
  /** Whether this host is up. */
  | { what: 'host'; host: string }
  /** These ports of a host; ranges include both ends. */
  | { what: 'ports'; host: string; protocol: string; ranges: readonly (readonly [from: number, to: number])[] }
  /** Every vulnerability that this tool finds at a host. */
  | { what: 'vulnerabilities'; host: string }
  /** One rule at one place. */
  | { what: 'rule'; host: string; ruleId: string; location: string }
  /** Everything that this tool sees: of a host, or where it is null of the engagement. */
  | { what: 'everything'; host: string | null }
