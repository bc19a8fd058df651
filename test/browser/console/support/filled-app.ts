import { operate } from '../../../support/actors/operator.js';
import { AppBackEnd, expectStatus } from '../../../support/actors/link-journey.js';
import { eventually } from '../../../support/assertions/eventually.js';
import type { SharedService } from '../../../support/fixtures/shared-service.js';
import type { ScreenPlace } from './screens.js';

const LINKS = [
  { institution_id: 'sandbox-instant-bank', user: 'user-12' },
  { institution_id: 'sandbox-oauth-bank', user: 'user-388' },
  { institution_id: 'sandbox-credentials-bank', user: 'user-12' },
  { institution_id: 'sandbox-credentials-bank', user: 'user-4711' },
];

/**
 * An app as developers of one see it: links of several users at several banks, the newest of which
 * needs its owner, and events that a receiver accepted or refused.
 * @returns the newest link, and the event of its end
 */
export async function fillApp(
  { app, dataDir, info }: SharedService,
  webhook: { accepted: string; refused: string },
): Promise<ScreenPlace> {
  await operate(dataDir, 'apps', 'update', app.app_id, '--name', 'Pocket Ledger');
  const backEnd = new AppBackEnd(info.base_url, app.sandbox);
  let linkId = '';
  for (const [index, { institution_id, user }] of LINKS.entries()) {
    const body = {
      institution_id,
      customer_user: { id: user },
      webhook: index === 0 ? webhook.refused : webhook.accepted,
      tags: ['pictures'],
    };
    ({ link_id: linkId } = await expectStatus<{ link_id: string }>(
      200,
      backEnd.call('POST', '/sandbox/link', { body }),
    ));
  }
  await backEnd.call('POST', `/sandbox/links/${linkId}/expire-auth`, { body: { mode: 'now' } });
  return eventually(async () => {
    const { events } = await backEnd.get<{
      events: { event_id: string; status: string; body: { error?: string } }[];
    }>(`/webhooks/events?link_id=${linkId}&webhook_event=link.state_changed`);
    const event = events.find(
      ({ status, body }) => status === 'delivered' && body.error === 'auth_expired',
    );
    if (event === undefined) throw new Error('The end of the sign-in was not delivered yet.');
    return { app: app.app_id, linkId, eventId: event.event_id };
  });
}
