import type { BrowserContextOptions, Page } from 'playwright-core';
import { AppBackEnd, expectStatus } from '../../support/actors/link-journey.js';
import { eventually } from '../../support/assertions/eventually.js';
import { violations } from '../connect-app/support/check-screens.js';
import { SCREENS, type ScreenPlace } from './support/screens.js';
import { describeConsole } from './support/stage.js';

const CIRCUMSTANCES: Readonly<Record<string, { context: BrowserContextOptions }>> = {
  'in light colors': { context: {} },
  'in dark colors': { context: { colorScheme: 'dark' } },
  'in a window of 320 px': { context: { viewport: { width: 320, height: 640 } } },
};

describeConsole('Every screen of the console', (stage) => {
  let place: ScreenPlace;
  beforeAll(async () => {
    const { app, info } = stage.service;
    const backEnd = new AppBackEnd(info.base_url, app.sandbox);
    place = { app: app.app_id, ...(await linkedBank(backEnd)) };
  });

  describe.each(Object.keys(CIRCUMSTANCES))('%s', (circumstance) => {
    let page: Page;
    let faults: string[];
    beforeAll(async () => {
      ({ page, faults } = await stage.newPage(CIRCUMSTANCES[circumstance]?.context));
      await stage.signIn(page);
    });
    afterAll(() => page.context().close());

    it.each(Object.entries(SCREENS))(
      'shows its content within its width, and axe and the browser have nothing to complain: %s',
      async (_name, { at, heading, until }) => {
        await page.goto(stage.url + at(place));
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        if (until !== undefined) await page.getByText(until).first().waitFor();
        expect(await violations(page.mainFrame())).toEqual([]);
        expect(
          await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
        ).toBe(0);
        expect(faults).toEqual([]);
      },
    );
  });
});

/** A test bank that is linked, and an event of its link. */
async function linkedBank(backEnd: AppBackEnd): Promise<{ linkId: string; eventId: string }> {
  const body = {
    institution_id: 'sandbox-credentials-bank',
    customer_user: { id: 'user-4711' },
  };
  // The first calls of a fresh service on a busy computer may time out.
  const { link_id: linkId } = await eventually(() =>
    expectStatus<{ link_id: string }>(200, backEnd.call('POST', '/sandbox/link', { body })),
  );
  return eventually(async () => {
    const { events } = await backEnd.get<{ events: { event_id: string }[] }>(
      `/webhooks/events?link_id=${linkId}`,
    );
    const [event] = events;
    if (event === undefined) throw new Error('The link has no event yet.');
    return { linkId, eventId: event.event_id };
  });
}
