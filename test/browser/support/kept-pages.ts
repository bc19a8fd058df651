import type { Page } from 'playwright-core';

/**
 * Browser windows that one test after the other works in: a new one, of a person of its own, costs the processor four
 * times as much as another address in an old one.
 */
export class KeptPages {
  private readonly free: Page[] = [];
  private readonly taken: Page[] = [];

  /** @param make a page in a context of its own */
  constructor(private readonly make: () => Promise<Page>) {}

  async take(): Promise<Page> {
    const page = this.free.pop() ?? (await this.make());
    this.taken.push(page);
    return page;
  }

  /** When a test is over: what it opened is closed, what it set is as before, and nothing of its pages runs on. */
  async takeBack(): Promise<void> {
    await Promise.all(
      this.taken.splice(0).map(async (page) => {
        const context = page.context();
        if (page.isClosed()) return context.close();
        await Promise.all(
          context
            .pages()
            .filter((other) => other !== page)
            .map((other) => other.close()),
        );
        page.removeAllListeners();
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await context.setOffline(false);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto('about:blank');
        await context.clearCookies();
        this.free.push(page);
      }),
    );
  }
}
