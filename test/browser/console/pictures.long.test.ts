import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { fillApp } from './support/filled-app.js';
import { SCREENS, type ScreenPlace } from './support/screens.js';
import { describeConsole } from './support/stage.js';

/** `UPDATE_PICTURES=1` writes them for the documentation, any other run beside the results of tests. */
const FOLDER = fileURLToPath(
  new URL(
    process.env['UPDATE_PICTURES']
      ? '../../../docs/images/console/'
      : '../../../test-results/images/console/',
    import.meta.url,
  ),
);

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const DARK: BrowserContextOptions = { colorScheme: 'dark' };

/** Each picture with its screen. */
const PICTURES: readonly [name: string, screen: string, options?: BrowserContextOptions][] = [
  ...[
    'instance',
    'start',
    'links',
    'link',
    'attempts',
    'events',
    'event-attempts',
    'event-verify',
    'endpoints',
    'banks',
    'bank',
    'providers',
    'try',
    'connect',
    'worlds',
    'scripts',
    'faults',
    'keys',
    'system-parts',
    'system-keys',
  ].map((screen): [string, string] => [screen, screen]),
  ['link-on-a-phone', 'link', PHONE],
  ['link-in-dark-colors', 'link', DARK],
];

describeConsole('The pictures of the console in the documentation', (stage) => {
  let place: ScreenPlace;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    receiver = await WebhookReceiver.start({ verify: stage.service.info.base_url });
    receiver.respondWith(({ path }) => ({ status: path === '/refused' ? 500 : 204 }));
    place = await fillApp(stage.service, {
      accepted: receiver.url('/hooks'),
      refused: receiver.url('/refused'),
    });
  });
  afterAll(() => receiver.stop());

  it.each(PICTURES)('show %s', async (name, screen, options) => {
    const { at, heading, until } = SCREENS[screen] ?? { at: () => '/', heading: '' };
    const { page, faults } = await stage.newPage({ timezoneId: 'UTC', ...options });
    await stage.signIn(page);
    await page.goto(stage.url + at(place));
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    if (until !== undefined) await page.getByText(until).first().waitFor();
    await page.screenshot({ path: `${FOLDER}${name}.png` });
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
