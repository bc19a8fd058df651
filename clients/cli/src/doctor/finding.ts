export interface Finding {
  subject: string;
  verdict: 'good' | 'warning' | 'bad';
  text: string;
  /** The next step; null where nothing is wrong. */
  next: string | null;
}
