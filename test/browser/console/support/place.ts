import { AppBackEnd, expectStatus } from '../../../support/actors/link-journey.js';
import { eventually } from '../../../support/assertions/eventually.js';
import type { SharedService } from '../../../support/fixtures/shared-service.js';
import type { ScreenPlace } from './screens.js';

/** An app with a test bank that is linked, an event of its link, and a world. */
export async function placeOfScreens({ app, info }: SharedService): Promise<ScreenPlace> {
  const backEnd = new AppBackEnd(info.base_url, app.sandbox);
  const body = {
    institution_id: 'sandbox-credentials-bank',
    customer_user: { id: 'user-4711' },
  };
  // The first calls of a fresh service on a busy computer may time out.
  const { link_id: linkId } = await eventually(() =>
    expectStatus<{ link_id: string }>(200, backEnd.call('POST', '/sandbox/link', { body })),
  );
  await backEnd.call('POST', '/sandbox/worlds', { body: { name: 'spring' } });
  return eventually(async () => {
    const { events } = await backEnd.get<{ events: { event_id: string }[] }>(
      `/webhooks/events?link_id=${linkId}`,
    );
    const [event] = events;
    if (event === undefined) throw new Error('The link has no event yet.');
    return { app: app.app_id, linkId, eventId: event.event_id };
  });
}
