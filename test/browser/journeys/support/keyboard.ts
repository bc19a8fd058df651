import type { Person } from './person.js';

/** More presses of Tab than any screen has stops. */
const MAX_PRESSES = 20;

/** The actions of a user without a mouse in the frame of Connect. */
export class Keyboard {
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
      const [label] = focused instanceof HTMLInputElement ? (focused.labels ?? []) : [];
      return (
        label?.textContent ??
        focused?.getAttribute('aria-label') ??
        focused?.textContent ??
        ''
      ).trim();
    });
  }
}
