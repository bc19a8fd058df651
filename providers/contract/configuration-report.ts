/** Whether the operator's keys work, in words for the operator. */
export interface ConfigurationReport {
  ok: boolean;
  lines: readonly ReportLine[];
  /** The source refuses the keys themselves: the configuration is broken until they are replaced. */
  keysRefused: boolean;
  /**
   * The source's ids of the institutions whose server does not answer; `*` = all, missing = none. Their
   * routes are the last resort until a check finds otherwise.
   */
  unreachable?: readonly string[];
  /** When the client certificate or key expires, where there is one. */
  credentialsEndAt: Date | null;
}

export interface ReportLine {
  /** What was checked, for example `the private key signs`. */
  what: string;
  ok: boolean;
  /** What was seen; never a secret. */
  detail: string | null;
  /** What the operator can do; null when there is nothing. Of a line that is ok it is a warning. */
  remedy: string | null;
}
