import type { Frame, Locator } from 'playwright-core';
import { eventually } from '../../../support/assertions/eventually.js';

/** Fills in the form of Credentials Bank. */
export async function fillIn(frame: Frame, userName = 'u', password = 'p'): Promise<void> {
  await frame.getByLabel('User name').fill(userName);
  await frame.getByLabel('Password', { exact: true }).fill(password);
}

export async function signIn(frame: Frame, userName?: string, password?: string): Promise<void> {
  await fillIn(frame, userName, password);
  await frame.getByRole('button', { name: 'Continue' }).click();
}

export async function untilFocused(field: Locator): Promise<void> {
  await eventually(async () =>
    expect(await field.evaluate((element) => document.activeElement === element)).toBe(true),
  );
}
