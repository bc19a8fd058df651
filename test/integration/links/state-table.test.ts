import { TransitionRefused } from '../../../domain/errors/change-refused.js';
import { randomUUID } from 'node:crypto';
import { makeId } from '../../../domain/api/ids.js';
import { DELETED_LINK_RETENTION_MS } from '../../../domain/link/link-deletion.js';
import type { LinkEvent } from '../../../domain/link/link-transitions.js';
import { transitionLink } from '../../../prisma/links/link/link-transition.js';
import { purgeLinks } from '../../../prisma/links/link/purge-links.js';
import {
  clientOf,
  eventsOf,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

storeOfFile();

/** A state with its LinkError. `+` means that it was connected before. */
const STATES = [
  'connecting',
  'awaiting_token_exchange',
  'connected+',
  'error/user_error',
  'error/incomplete',
  'error/auth_expired+',
  'error/institution_error+',
  'error/provider_error',
  'deleted',
] as const;
type State = (typeof STATES)[number];
const error = (from: State) => from.startsWith('error');

/** The table of docs/contract/link-lifecycle.md 6.3: `✗`, `—`, or the state that follows and is announced. */
const EVENTS: { event: LinkEvent; says: (from: State) => string }[] = [
  {
    event: { type: 'login_started', sameSessionAndInstitution: true },
    says: (from) =>
      from === 'connecting' ? '—' : error(from) && !from.endsWith('+') ? 'connecting' : '✗',
  },
  {
    event: { type: 'login_started', sameSessionAndInstitution: false },
    says: (from) => (from === 'connecting' ? '—' : '✗'),
  },
  {
    event: { type: 'linking_done' },
    says: (from) =>
      from === 'connecting'
        ? 'awaiting_token_exchange'
        : from === 'awaiting_token_exchange'
          ? '—'
          : '✗',
  },
  {
    event: { type: 'exchanged' },
    says: (from) => (from === 'awaiting_token_exchange' ? 'connected' : '✗'),
  },
  {
    event: { type: 'exchange_window_over' },
    says: (from) =>
      from === 'awaiting_token_exchange'
        ? 'error/user_error'
        : from === 'connected+' || from === 'deleted'
          ? '—'
          : '✗',
  },
  {
    event: { type: 'given_up_before' },
    says: (from) => (from === 'connecting' ? 'error/user_error' : '—'),
  },
  {
    event: { type: 'given_up_after' },
    says: (from) => (from === 'connecting' ? 'error/incomplete' : '—'),
  },
  ...(
    ['user_error', 'institution_error', 'provider_error', 'system_error', 'incomplete'] as const
  ).map((kind) => ({
    event: { type: 'login_failed' as const, error: kind },
    says: (from: State) => (from === 'connecting' ? `error/${kind}` : '✗'),
  })),
  {
    event: { type: 'auth_lost' },
    says: (from) =>
      from === 'connecting'
        ? '✗'
        : from === 'connected+' ||
            from === 'error/institution_error+' ||
            from === 'error/provider_error'
          ? 'error/auth_expired'
          : '—',
  },
  {
    event: { type: 'relink_done' },
    says: (from) => (error(from) ? 'connected' : from === 'connected+' ? '—' : '✗'),
  },
  {
    event: { type: 'relink_failed' },
    says: (from) => (error(from) || from === 'connected+' || from === 'deleted' ? '—' : '✗'),
  },
  {
    event: { type: 'reset' },
    says: (from) =>
      from === 'error/auth_expired+'
        ? '—'
        : error(from) || from === 'connected+'
          ? 'error/auth_expired'
          : '✗',
  },
  { event: { type: 'import' }, says: () => '✗' },
  { event: { type: 'delete' }, says: (from) => (from === 'deleted' ? '✗' : 'deleted') },
];
const CELLS = EVENTS.flatMap(({ event, says }) =>
  STATES.map((from) => ({
    name: 'error' in event ? `${event.type}(${event.error})` : event.type,
    event,
    from,
    expected: says(from),
  })),
);

async function linkIn(from: State): Promise<{ pk: bigint; linkId: string }> {
  const { prisma } = store.ctx.database;
  const [state = '', errorCode = null] = from.replace('+', '').split('/');
  const user = await prisma.customerUser.create({ data: { ...TENANT, userId: randomUUID() } });
  return prisma.link.create({
    data: {
      linkId: makeId('link', store.ctx.random),
      ...TENANT,
      clientId: clientOf(TENANT),
      customerUserPk: user.pk,
      institutionId: 'first-bank',
      provider: 'sandbox',
      state,
      errorCode,
      webhook: 'https://app.example/hooks',
      connectedAt: from.endsWith('+') ? store.ctx.clock() : null,
    },
  });
}

const rowOf = (linkId: string) =>
  store.ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
const happen = (pk: bigint, event: LinkEvent) =>
  store.ctx.database.transaction((tx) => transitionLink(store.ctx, tx, pk, event));

describe('link-lifecycle 15, check 3: every cell of the state table', () => {
  it.each(CELLS)('$name in $from: $expected', async ({ event, from, expected }) => {
    const { pk, linkId } = await linkIn(from);
    const before = await rowOf(linkId);
    if (expected === '✗') {
      await expect(happen(pk, event)).rejects.toBeInstanceOf(TransitionRefused);
    } else {
      expect((await happen(pk, event)).changed).toBe(expected !== '—');
    }
    const after = await rowOf(linkId);
    if (expected === '✗' || expected === '—') {
      expect(after).toEqual(before);
      expect(await eventsOf(store, linkId)).toEqual([]);
    } else {
      expect([after.state, after.errorCode].filter((part) => part !== null).join('/')).toBe(
        expected,
      );
      expect(after.revision).toBeGreaterThan(before.revision);
      expect(await eventsOf(store, linkId)).toEqual([`state ${expected}`]);
    }
  });

  it.each(STATES)(
    'purge in %s: nothing is announced, and only a deleted link is removed',
    async (from) => {
      const { pk, linkId } = await linkIn(from);
      await store.ctx.database.prisma.link.update({
        where: { pk },
        data: { deletedAt: new Date(store.ctx.clock().getTime() - DELETED_LINK_RETENTION_MS) },
      });
      await purgeLinks(store.ctx, store.ctx.clock(), { limit: 1_000 });
      expect(await store.ctx.database.prisma.link.count({ where: { pk } })).toBe(
        from === 'deleted' ? 0 : 1,
      );
      expect(await eventsOf(store, linkId)).toEqual([]);
    },
  );

  it('A change is announced once when two callers request it at the same moment', async () => {
    const { pk, linkId } = await linkIn('connected+');
    const changes = await Promise.all([1, 2, 3].map(() => happen(pk, { type: 'reset' })));
    expect(changes.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await eventsOf(store, linkId)).toEqual(['state error/auth_expired']);
  });
});
