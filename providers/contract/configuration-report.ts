/** Whether the operator's keys work, described for the operator. */
export interface ConfigurationReport {
  ok: boolean;
  lines: readonly ReportLine[];
  /** The source refuses the keys themselves: the configuration is broken until they are replaced. */
  keysRefused: boolean;
  /**
   * The source's ids of the institutions whose server does not respond; `*` = all, missing = none.
   * Their routes are the last resort until a check finds otherwise.
   */
  unreachable?: readonly string[];
  /** The expiry of the client certificate or key, if there is one. */
  credentialsEndAt: Date | null;
}

export interface ReportLine {
  /** The subject of the check, for example `the private key signs`. */
  what: string;
  ok: boolean;
  /** The finding; never a secret. */
  detail: string | null;
  /** The operator's remedy; null when there is none. On a line that is ok it is a warning. */
  remedy: string | null;
}
