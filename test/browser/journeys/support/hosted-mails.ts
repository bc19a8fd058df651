import type { BrowserContextOptions, Page } from 'playwright-core';
import { pressToOpen } from '../../../support/actors/hosted-page.js';
import type { SessionResponse } from '../../../support/actors/response-bodies.js';
import { CREDENTIALS_BANK } from './at-the-banks.js';
import { Person } from './person.js';
import { SESSION_DEFAULTS, type JourneyStage } from './stage.js';

/** The narrowest phone of connect 12, which has no SDK and no page of the app. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 320, height: 640 },
  isMobile: true,
  hasTouch: true,
};

export interface HostedSession extends SessionResponse {
  session_id: string;
  hosted_url: string;
}
interface ReadSession {
  opened_at: string | null;
  outcome: string | null;
  link_id: string | null;
  exchangeable_token: string | null;
}

/** Hosted sessions whose addresses users find in mails. */
export class HostedMails {
  constructor(private readonly stage: JourneyStage) {}

  create(fields: Record<string, unknown>): Promise<HostedSession> {
    return this.stage.app.createSession({
      ...SESSION_DEFAULTS,
      hosted: { return_url: `${this.stage.pages.origin}/` },
      ...fields,
    }) as Promise<HostedSession>;
  }

  read({ session_id: id }: HostedSession): Promise<ReadSession> {
    return this.stage.app.get<ReadSession>(`/link-sessions/${id}`);
  }

  async brokenLink(customerUser: string): Promise<string> {
    const { app } = this.stage;
    const { body } = await app.call<{ link_id: string }>('POST', '/sandbox/link', {
      body: { institution_id: CREDENTIALS_BANK, customer_user: { id: customerUser } },
    });
    await app.call('POST', `/links/${body.link_id}/reset`);
    return body.link_id;
  }

  /** Opens the address of a mail on a phone, and lets the page open its session. */
  async open(
    mail: HostedSession,
    options: BrowserContextOptions = {},
  ): Promise<Awaited<ReturnType<HostedMails['load']>>> {
    const loaded = await this.load(mail, options);
    await pressToOpen(loaded.page);
    return loaded;
  }

  /**
   * Loads the address of a mail on a phone, and presses nothing.
   * @returns also the addresses of the service that any site received from then on, as `referrers`
   */
  async load(
    { hosted_url: url }: HostedSession,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; referrers: string[]; person: Person }> {
    const page = await this.stage.newPage({ ...PHONE, ...options });
    const { origin } = new URL(url);
    const referrers: string[] = [];
    page.context().on('request', (request) => {
      const { referer = '' } = request.headers();
      if (referer.startsWith(origin)) referrers.push(referer);
    });
    await page.goto(url);
    return { page, referrers, person: await this.person(page) };
  }

  person(page: Page): Promise<Person> {
    return Person.at(page, this.stage.service.info.connect_base_url);
  }

  /** The outcomes of a session that its webhook events state, each with its link. */
  async announced({ session_id: id }: HostedSession): Promise<unknown[][]> {
    const { events } = await this.stage.app.get<{ events: { body: Record<string, unknown> }[] }>(
      '/webhooks/events?webhook_event=link_session.finished&limit=500',
    );
    return events
      .filter(({ body }) => body['session_id'] === id)
      .map(({ body }) => [body['outcome'], body['link_id']]);
  }
}

export const isWideEnough = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
