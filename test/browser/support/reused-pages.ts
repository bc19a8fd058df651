import type { Page } from 'playwright-core';

/**
 * Browser windows that tests reuse one after another: a new window in its own browser context costs
 * four times the processor time of another address in an existing one.
 */
export class ReusedPages {
  private readonly free: Page[] = [];
  private readonly taken: Page[] = [];

  /** @param make creates a page in its own browser context */
  constructor(private readonly make: () => Promise<Page>) {}

  async take(): Promise<Page> {
    const page = this.free.pop() ?? (await this.make());
    this.taken.push(page);
    return page;
  }

  /**
   * Runs after a test: closes what it opened, restores its settings, and stops everything on its
   * pages.
   */
  async releaseAll(): Promise<void> {
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
        // The token that an SDK keeps for its tab.
        await page.evaluate(() => sessionStorage.clear()).catch(() => undefined);
        await page.goto('about:blank');
        await context.clearCookies();
        this.free.push(page);
      }),
    );
  }
}
