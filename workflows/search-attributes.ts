import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';

/** What operators can search workflows by. Never client ids, user names or addresses. */
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

/** Leaves out what is not known yet. */
export function knownAttributes(pairs: readonly (SearchAttributePair | null)[]): SearchAttributePair[] {
  return pairs.filter((pair) => pair !== null);
}
