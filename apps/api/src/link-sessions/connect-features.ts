import { z } from 'zod';

/** Source: link-lifecycle 2.5. */
export const CONNECT_FEATURES = [
  'issue_reporter', 'connect_manually', 'duplicate_institution_warning', 'duplicate_institution_rejected', 'permit_only_one_account', 'permit_only_depository_accounts',
] as const;
export type ConnectFeature = (typeof CONNECT_FEATURES)[number];
export type ConnectFeatures = Record<ConnectFeature, boolean>;

const oneOrNone = z.boolean().optional();
const shape = Object.fromEntries(CONNECT_FEATURES.map((name) => [name, oneOrNone])) as Record<ConnectFeature, typeof oneOrNone>;

/** All false by default; an unknown feature is ignored. */
export const connectFeatures = z
  .object(shape)
  .transform((given): ConnectFeatures => Object.fromEntries(CONNECT_FEATURES.map((name) => [name, given[name] === true])) as ConnectFeatures);
