import type { Page } from 'playwright-core';
import { TRIAL_PASSWORD } from '../../../simulators/vendors/fdx/trial-values.js';
import {
  LIVE_BANKS,
  startLiveSimulators,
  type LiveSimulators,
  type LiveVendor,
} from '../../support/services/live-simulators.js';
import { describeJourneys } from './support/stage.js';
import type { Person } from './support/person.js';

/** More presses of Tab than any screen has stops. */
const MAX_PRESSES = 20;

/** The actions of a user without a mouse in the frame of Connect. */
class Keyboard {
  constructor(private readonly person: Person) {}

  press(key: string): Promise<void> {
    return this.person.page.keyboard.press(key);
  }

  /** Types into the focused element. */
  type(text: string): Promise<void> {
    return this.person.page.keyboard.type(text);
  }

  /** Presses Tab until the element with this name has the focus. */
  async reach(name: string | RegExp): Promise<void> {
    for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
      await this.press('Tab');
      const focused = await this.focused();
      if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    }
    throw new Error(`The keyboard does not reach ${String(name)}.`);
  }

  /** Reaches a button and presses it. */
  async choose(name: RegExp): Promise<void> {
    await this.reach(name);
    await this.press('Enter');
  }

  /** Waits until the page itself moves the focus there. */
  async waitForFocusOn(label: string): Promise<void> {
    const field = await this.person.frame.getByLabel(label, { exact: true }).elementHandle();
    await this.person.frame.waitForFunction((it) => it === document.activeElement, field);
  }

  private focused(): Promise<string> {
    return this.person.frame.evaluate(() => {
      const { activeElement: focused } = document;
      const isField = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement;
      const [label] = isField ? (focused.labels ?? []) : [];
      return (
        label?.textContent ??
        focused?.getAttribute('aria-label') ??
        focused?.textContent ??
        ''
      ).trim();
    });
  }
}

/** At the pages of the simulated banks, by keyboard: signs in where required, then decides. */
const AT_THE_BANK = {
  'enable-banking': async (bank: Page, decision: 'allow' | 'deny') => {
    await bank.getByRole('button', { name: /accept|allow/i }).waitFor();
    await press(bank, ...['Tab', 'Tab'], ...(decision === 'deny' ? ['Tab'] : []), 'Enter');
  },
  fdx: async (bank: Page, decision: 'allow' | 'deny') => {
    await press(bank, 'Tab');
    await bank.keyboard.type('trial');
    await press(bank, 'Tab');
    await bank.keyboard.type(TRIAL_PASSWORD);
    await press(bank, 'Enter');
    await bank.getByRole('group', { name: 'Accounts to share' }).waitFor();
    await press(bank, 'Tab', 'Tab', 'Tab', 'Tab', 'Tab');
    await press(bank, ...(decision === 'deny' ? ['Tab'] : []), 'Enter');
  },
};

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

// axe checks every screen of ours that the user sees (Person.sees).
describeJourneys(
  'Journeys at real institutions by keyboard alone',
  (stage) => {
    let live: LiveSimulators;
    beforeAll(async () => {
      live = await startLiveSimulators(stage.service);
    });
    afterAll(() => live?.close());

    const open = async (): Promise<Person> =>
      stage.open(
        await stage.session({
          settings: { countries: ['US', 'FI'], products: ['transactions'] },
          products_settings: { transactions: { required: true, prefetch: true } },
        }),
      );
    const findBank = async (person: Person, vendor: LiveVendor): Promise<Keyboard> => {
      const { name } = LIVE_BANKS[vendor];
      const keyboard = new Keyboard(person);
      await person.sees('Choose your bank');
      await keyboard.type(name.slice(0, 7));
      await person.frame.getByRole('option', { name }).locator('b').first().waitFor();
      await keyboard.press('Enter');
      return keyboard;
    };
    const agreeAndShare = async (person: Person, keyboard: Keyboard): Promise<void> => {
      await person.sees(/^What .+ will see$/);
      await keyboard.choose(/^Allow$/);
      await person.sees('Choose accounts to share');
      await keyboard.choose(/^Share/);
    };
    const linkedAt = (vendor: LiveVendor) => ({
      name: 'success',
      payload: { mode: 'link', institution: { institution_id: LIVE_BANKS[vendor].id } },
    });

    it('link SimpleFIN with a setup token after a wrong one', async () => {
      const person = await open();
      const keyboard = await findBank(person, 'simplefin');
      await person.sees('Paste your setup token');
      await keyboard.reach('Setup token');
      await keyboard.type('not a setup token');
      await keyboard.press('Enter');
      await person.reads('That isn’t a setup token.');
      await keyboard.waitForFocusOn('Setup token');
      const { setupToken = '' } = await live.simulators.simplefin.post('simplefin/setup-token', {
        customer: 'trial',
      });
      await keyboard.type(setupToken);
      await keyboard.press('Enter');
      await agreeAndShare(person, keyboard);
      expect(await person.ending()).toMatchObject(linkedAt('simplefin'));
    });

    it.each(['enable-banking', 'fdx'] as const)(
      'link a bank of %s after its customer denied access at first',
      async (vendor) => {
        const { name } = LIVE_BANKS[vendor];
        const person = await open();
        const keyboard = await findBank(person, vendor);
        const leave = async (decision: 'allow' | 'deny'): Promise<void> => {
          await person.sees(`You’ll sign in at ${name}`);
          const opened = person.page.context().waitForEvent('page');
          await keyboard.choose(new RegExp(`^Continue to ${name}`));
          const bank = await opened;
          await person.sees('Finish in your bank’s window');
          await bank.bringToFront();
          await AT_THE_BANK[vendor](bank, decision);
          await person.page.bringToFront();
        };
        await leave('deny');
        await person.sees(/^Access was declined at/);
        await keyboard.choose(/^Try again$/);
        await leave('allow');
        await agreeAndShare(person, keyboard);
        expect(await person.ending()).toMatchObject(linkedAt(vendor));
      },
    );
  },
  { own: true },
);
