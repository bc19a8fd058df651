import type { Frame, Page } from 'playwright-core';
import { eventually } from '../../../support/assertions/eventually.js';
import { violations } from '../../connect-app/support/check-screens.js';
import type { RecordedCallback } from './journey-pages.js';

/** screens.test.ts has axe check each screen; in long runs, each one with the data of a bank as well. */
const isChecking = Boolean(process.env['LONG_RUNS']);

/** Screens that axe has checked in this file: one check of each is enough. */
const checked = new Set<string>();

/** A user who links a bank: waits for screens, and acts on them. */
export class Person {
  private constructor(
    readonly page: Page,
    readonly frame: Frame,
  ) {}

  /** Finds the frame of Connect. */
  static async at(page: Page, connectBaseUrl: string): Promise<Person> {
    return new Person(
      page,
      await eventually(() => {
        const frame = page.frames().find((each) => each.url().startsWith(`${connectBaseUrl}/`));
        if (frame === undefined) throw new Error('The frame of Connect is not there yet.');
        return frame;
      }),
    );
  }

  /** Waits for a screen by its heading. */
  async sees(heading: string | RegExp): Promise<void> {
    const title = this.frame.getByRole('heading', { level: 1, name: heading });
    await title.waitFor().catch(async (error: Error) => {
      throw new Error(`${String(heading)} did not appear, but: ${await this.words()}`, {
        cause: error,
      });
    });
    if (!isChecking) return;
    const name = await title.innerText();
    if (checked.has(name)) return;
    checked.add(name);
    expect(await violations(this.frame)).toEqual([]);
  }

  /** Waits for words on the screen; a live region may contain them, too. */
  async reads(words: string | RegExp): Promise<void> {
    await this.frame.getByText(words).first().waitFor();
  }

  async press(name: string | RegExp): Promise<void> {
    await this.frame.getByRole('button', { name, exact: typeof name === 'string' }).click();
  }

  async chooseBank(name: string): Promise<void> {
    await this.sees('Choose your bank');
    await this.frame.getByRole('option', { name }).click();
  }

  async signIn(userName: string, password = 'pass_good'): Promise<void> {
    await this.frame.getByLabel('User name').fill(userName);
    await this.frame.getByLabel('Password', { exact: true }).fill(password);
    await this.press('Continue');
  }

  /** Fills the text fields in order, and continues. */
  async type(...values: string[]): Promise<void> {
    const fields = this.frame.getByRole('textbox');
    for (const [index, value] of values.entries()) await fields.nth(index).fill(value);
    await this.press('Continue');
  }

  async allowAndShare(): Promise<void> {
    await this.sees(/^What .+ will see$/);
    await this.press('Allow');
    await this.sees('Choose accounts to share');
    await this.press(/^Share \d accounts?$/);
  }

  async callbacks(name?: RecordedCallback['name']): Promise<RecordedCallback[]> {
    const all = await this.page.evaluate(
      () => (window as unknown as { callbacks: RecordedCallback[] }).callbacks,
    );
    return name === undefined ? all : all.filter((each) => each.name === name);
  }

  /** The one final callback, once it is called. */
  async ending(): Promise<RecordedCallback> {
    await this.page
      .waitForFunction(() =>
        (window as unknown as { callbacks: RecordedCallback[] }).callbacks.some(
          ({ name }) => name === 'success' || name === 'exit',
        ),
      )
      .catch(async (error: Error) => {
        throw new Error(`No final callback was called; the screen says: ${await this.words()}`, {
          cause: error,
        });
      });
    const endings = (await this.callbacks()).filter(
      ({ name }) => name === 'success' || name === 'exit',
    );
    expect(endings).toHaveLength(1);
    return endings[0] as RecordedCallback;
  }

  /** The names of the screens so far, without `progress`: a busy service shows it before any other. */
  async screens(): Promise<unknown[]> {
    return (await this.callbacks('event'))
      .filter(({ payload }) => payload['name'] === 'change_screen')
      .map(
        ({ payload }) => (payload['properties'] as Record<string, unknown>)['current_screen_name'],
      )
      .filter((name) => name !== 'progress');
  }

  async words(): Promise<string> {
    return this.frame
      .locator('body')
      .innerText({ timeout: 1_000 })
      .catch(() => '(the frame is gone)');
  }
}
