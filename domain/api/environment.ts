/** Determined only by the key pair that authenticates a request. Source: native-api 1. */
export const ENVIRONMENTS = ['sandbox', 'live'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** The owner of a row: every lookup of a link, session, event or user is scoped by it. */
export interface Tenant {
  appId: string;
  environment: Environment;
}
