import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';
import type { LinkError, LinkState } from '../domain/link/link-state.js';

/**
 * The attributes by which operators can search workflows. Never client ids, user names or
 * addresses.
 */
export const SEARCH_ATTRIBUTES = {
  linkId: defineSearchAttributeKey('LinkId', 'KEYWORD'),
  linkSessionId: defineSearchAttributeKey('LinkSessionId', 'KEYWORD'),
  appId: defineSearchAttributeKey('AppId', 'KEYWORD'),
  institutionId: defineSearchAttributeKey('InstitutionId', 'KEYWORD'),
  provider: defineSearchAttributeKey('Provider', 'KEYWORD'),
  environment: defineSearchAttributeKey('Environment', 'KEYWORD'),
  linkState: defineSearchAttributeKey('LinkState', 'KEYWORD'),
  linkErrorCode: defineSearchAttributeKey('LinkErrorCode', 'KEYWORD'),
  webhookEvent: defineSearchAttributeKey('WebhookEvent', 'KEYWORD'),
  products: defineSearchAttributeKey('Products', 'KEYWORD_LIST'),
} as const;

/** The state of a link, as published to operators. */
export function linkAttributes({
  state,
  error,
}: {
  state: LinkState;
  error: LinkError | null;
}): SearchAttributeUpdatePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.linkState, value: state },
    { key: SEARCH_ATTRIBUTES.linkErrorCode, value: error },
  ];
}

/** There is no link, or it no longer exists. */
export const NO_LINK: SearchAttributeUpdatePair[] = [
  { key: SEARCH_ATTRIBUTES.linkId, value: null },
  { key: SEARCH_ATTRIBUTES.linkState, value: null },
  { key: SEARCH_ATTRIBUTES.linkErrorCode, value: null },
];

/** Drops attributes whose values are not known yet. */
export function knownAttributes(
  pairs: readonly (SearchAttributePair | null)[],
): SearchAttributePair[] {
  return pairs.filter((pair) => pair !== null);
}
