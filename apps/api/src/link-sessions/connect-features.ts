import { validationFailed } from '../../../../domain/api-errors.js';

/** Source: link-lifecycle 2.5. */
export const CONNECT_FEATURES = [
  'issue_reporter', 'connect_manually', 'duplicate_institution_warning', 'duplicate_institution_rejected', 'permit_only_one_account', 'permit_only_depository_accounts',
] as const;
export type ConnectFeature = (typeof CONNECT_FEATURES)[number];

/** Reads the known features, all false by default; unknown ones are ignored. @throws ApiError for a value that is no boolean */
export function readConnectFeatures(given: Readonly<Record<string, unknown>>): Record<ConnectFeature, boolean> {
  const wrong = CONNECT_FEATURES.filter((name) => given[name] !== undefined && typeof given[name] !== 'boolean');
  if (wrong.length > 0) {
    throw validationFailed(wrong.map((name) => ({ location: ['body', 'connect_features', name], message: 'Must be true or false.', type: 'invalid_type' })));
  }
  return Object.fromEntries(CONNECT_FEATURES.map((name) => [name, given[name] === true])) as Record<ConnectFeature, boolean>;
}
