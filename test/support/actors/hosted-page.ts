import type { Page } from 'playwright-core';

/** Opens an address of the hosted page as a person does. */
export async function openHostedPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await pressToOpen(page);
}

/** The page has one button, and opens its session when that is pressed (connect 2). */
export async function pressToOpen(page: Page): Promise<void> {
  await page.getByRole('button').click();
}
