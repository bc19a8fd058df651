import type { Page } from 'playwright-core';

/** A phone at the edge of a village: a round trip takes most of a second. */
const SLOW = { latency: 800, downloadThroughput: 50_000, uploadThroughput: 20_000, offline: false };

/** Slows down everything that the page and its frames load, which only Chromium can. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW);
}
