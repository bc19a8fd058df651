/** The part of the instance that a person may see in the console, and whether they may change it. */
export interface ConsoleGrant {
  role: 'operator' | 'app';
  /** The app of role `app`; null = the instance. */
  appId: string | null;
  isReadOnly: boolean;
}
