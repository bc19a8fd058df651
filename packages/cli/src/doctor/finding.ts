export interface Finding {
  subject: string;
  verdict: 'good' | 'warning' | 'bad';
  text: string;
  /** What to do; null where nothing is wrong. */
  next: string | null;
}
