import { z } from 'zod';
import {
  CONNECT_FEATURES,
  type ConnectFeature,
  type ConnectFeatures,
} from '../../../../domain/session/connect-features.js';

const EFFECTS: Readonly<Record<ConnectFeature, string>> = {
  issue_reporter: 'Users can report a problem.',
  connect_manually: 'Users can say that their bank is missing, which ends Connect.',
  duplicate_institution_warning:
    'Users with a link at the institution are warned, and may extend it instead.',
  duplicate_institution_rejected: 'Users with a link at the institution cannot make another one.',
  permit_only_one_account: 'Users share exactly one account.',
  permit_only_depository_accounts: 'Users share only accounts of the kind `depository`.',
};
const oneOrNone = z.boolean().optional();
const shape = Object.fromEntries(
  CONNECT_FEATURES.map((name) => [name, oneOrNone.describe(EFFECTS[name])]),
) as Record<ConnectFeature, typeof oneOrNone>;

/** All false by default; an unknown feature is ignored. Source: link-lifecycle 2.5. */
export const connectFeatures = z
  .object(shape)
  .meta({ id: 'ConnectFeaturesInput' })
  .transform(
    (given): ConnectFeatures =>
      Object.fromEntries(
        CONNECT_FEATURES.map((name) => [name, given[name] === true]),
      ) as ConnectFeatures,
  );
