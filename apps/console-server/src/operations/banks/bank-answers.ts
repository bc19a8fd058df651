/** `GET /apps/:app/:env/banks/:institution_id/day`: a bank in the last 24 hours, as one app sees it. */
export interface BankDay {
  /** Attempts to link or to repair, by the hour of their creation; 24, oldest first. */
  hours: AttemptHour[];
  /** The last refresh of each link, by its hour; 24, oldest first. Not the number of refreshes. */
  refreshes: RefreshHour[];
  sessions_counted: number;
  /** The links of which the last refresh was read, whether or not it was in these hours. */
  links_counted: number;
  /** Only the newest 2,000 sessions and 1,000 links are read, and there are more. */
  is_cut: boolean;
}

export interface AttemptHour {
  /** Its start, ISO 8601. */
  hour: string;
  ok: number;
  /** The bank, the source or the service failed. */
  failed: number;
  /** The user left, did not come, or was not accepted. */
  left: number;
}

export interface RefreshHour {
  /** Its start, ISO 8601. */
  hour: string;
  ok: number;
  failed: number;
}
