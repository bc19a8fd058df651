import type { BoundName } from '../../../../../domain/limits/app-bounds.js';

/** What each bound of an app counts. */
export const BOUND_WORDS: Readonly<Record<BoundName, string>> = {
  links: 'Links',
  rows: 'Stored versions of transactions',
  imported_bytes: 'Bytes of imports and custom Sandbox data',
  sessions: 'Link sessions and imported links',
  sandbox_calls: 'Sandbox calls that change something',
  test_events: 'Test webhooks',
  replays: 'Replayed webhooks',
  idempotency_records: 'Uses of an Idempotency-Key',
  access_tokens: 'Access tokens',
  simplefin_tokens: 'SimpleFIN setup tokens',
};
