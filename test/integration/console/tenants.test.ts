import { APP_OPERATIONS } from '../../../apps/console-server/src/operations/app-operations.js';
import { storage } from '../../support/fixtures/stored-link.js';
import { storyOf } from '../links/support/story-of-link.js';
import { APP, ask, serviceOfFile } from './support/console-stage.js';

serviceOfFile();

/** The names in paths, with a row of theirs that exists. */
let rows: Record<string, string>;
beforeAll(async () => {
  const { prisma } = storage.ctx.database;
  await prisma.application.create({ data: { appId: 'other', name: 'Other' } });
  const story = await storyOf(storage, new Date('2026-03-01T00:00:00Z'));
  const eventPk = await story.event(1, { webhook_event: 'link.state_changed' });
  const { eventId } = await prisma.webhookEvent.findUniqueOrThrow({ where: { pk: eventPk } });
  rows = {
    link_id: story.link.linkId,
    event_id: eventId,
    delivery_id: await story.delivery(eventPk, { status: 'pending' }),
    client_id: 'sandbox_pocket-ledger',
  };
});

const refusalOf = async (operation: (typeof APP_OPERATIONS)[number], input: object) =>
  ask(operation, { provider: 'sandbox', secret_id: 'sec_none', ...input }).then(
    (answer) => ({ answer }),
    ({ status, code, message }: Record<string, unknown>) => ({ status, code, message }),
  );

const ofRows = APP_OPERATIONS.filter(({ call }) => /:(link|event|delivery|client)_id/.test(call));

describe('Operations on a row of an app', () => {
  it('are more than a few', () => {
    expect(ofRows.length).toBeGreaterThan(10);
  });

  describe.each(ofRows.map((operation) => [operation.call, operation] as const))(
    '%s',
    (call, operation) => {
      const name = /:((?:link|event|delivery|client)_id)/.exec(call)?.[1] ?? '';

      it.each([
        ['another app', { app: 'other', env: 'sandbox' }],
        ['another environment', { app: 'pocket-ledger', env: 'live' }],
      ])('answers for a row of %s as for one that does not exist', async (_, app) => {
        const foreign = await refusalOf(operation, { ...app, [name]: rows[name] });
        expect(foreign).toMatchObject({ status: 404 });
        const unknown = await refusalOf(operation, { ...APP, [name]: 'unknown' });
        expect(JSON.stringify(foreign).replaceAll(rows[name] ?? '', 'unknown')).toBe(
          JSON.stringify(unknown),
        );
      });
    },
  );
});

describe('Operations on an app', () => {
  const ofApps = APP_OPERATIONS.filter(
    ({ call }) => call.includes('/:app/') && !ofRows.some((operation) => operation.call === call),
  );

  it.each(ofApps.map((operation) => [operation.call, operation] as const))(
    '%s answers 404 for an unknown app',
    async (_, operation) => {
      expect(
        await refusalOf(operation, { app: 'none', env: 'sandbox', institution_id: 'test-bank' }),
      ).toMatchObject({ status: 404 });
    },
  );

  it('refuse an environment that does not exist', () => {
    for (const { call, input } of APP_OPERATIONS.filter((each) => each.call.includes('/:env')))
      expect([
        call,
        input.safeParse({ ...rows, provider: 'x', institution_id: 'x', app: 'a', env: 'erased' })
          .success,
      ]).toEqual([call, false]);
  });
});

describe('Operations that change something', () => {
  it('are for operators, but for those on key pairs, and name the command that the record shows', () => {
    const changes = APP_OPERATIONS.filter(
      ({ call, level }) => level !== 'read' && !call.includes('/pairs'),
    );
    expect(
      changes.map(({ roles, recorded }) => [
        roles,
        recorded?.({ ...rows, provider: 'feed', reason: 'it is down' }),
      ]),
    ).toEqual([
      [
        ['operator'],
        { action: 'links move', subject: `${rows['link_id']} --to feed --reason it is down` },
      ],
      [['operator'], { action: 'deliveries retry', subject: rows['delivery_id'] }],
      [['operator'], { action: 'deliveries cancel', subject: rows['delivery_id'] }],
    ]);
  });
});
