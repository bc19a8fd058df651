import { LinkSessionReader } from '../../../prisma/links/sessions/link-session-reader.js';
import {
  MINUTE,
  newSession,
  openStores,
  TENANT,
  type Store,
} from '../../support/fixtures/linking-store.js';

const DAY = 24 * 60 * MINUTE;

let store: Store;
openStores((opened) => {
  store = opened;
});

describe('The list of link sessions', () => {
  it('contains a session for 90 days after its creation, also when a request asks for older ones', async () => {
    const { sessionId } = await store.sessions.create(TENANT, newSession());
    const listed = async () => {
      const createdSince = new Date(0);
      const request = { after: null, limit: 10 };
      const page = await new LinkSessionReader(store.ctx).list(TENANT, { createdSince }, request);
      return page.sessions.map((session) => session.sessionId);
    };
    store.pass(90 * DAY);
    expect(await listed()).toEqual([sessionId]);
    store.pass(1);
    expect(await listed()).toEqual([]);
  });
});
