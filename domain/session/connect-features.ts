/** Features an app may be entitled to and request for a session. Source: link-lifecycle 2.5. */
export const CONNECT_FEATURES = [
  'issue_reporter',
  'connect_manually',
  'duplicate_institution_warning',
  'duplicate_institution_rejected',
  'permit_only_one_account',
  'permit_only_depository_accounts',
] as const;
export type ConnectFeature = (typeof CONNECT_FEATURES)[number];
export type ConnectFeatures = Record<ConnectFeature, boolean>;
