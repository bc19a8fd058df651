import { DATA_SCOPES } from '../../../simulators/vendors/fdx/authorization/data-scopes.js';
import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { TRIAL_PASSWORD } from '../../../simulators/vendors/fdx/trial-values.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { createFdxClient } from '../../support/actors/fdx-client.js';

describe('The pages of an FDX bank', () => {
  let bank: FdxBank;

  beforeAll(async () => {
    bank = await createFdxBank({ ledger: new Ledger() });
  });
  afterAll(() => bank.close());

  /** A browser without scripts, up to the consent page. */
  async function openPages() {
    const client = await createFdxClient(bank, 'first-fdx');
    const start = await fetch(await client.start(), { redirect: 'manual' });
    const cookie = start.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const address = new URL(start.headers.get('location') ?? '', client.trial.issuer);
    const open = (form?: URLSearchParams) =>
      fetch(address, { method: form ? 'POST' : 'GET', body: form, headers: { cookie } });
    const signIn = await open();
    const consent = await open(
      new URLSearchParams({ decision: 'sign_in', user_name: 'trial', password: TRIAL_PASSWORD }),
    );
    return { signIn, consent, open, address };
  }

  it('consist of labeled fields and buttons in order, without scripts', async () => {
    const { signIn, consent } = await openPages();
    const pages = [await signIn.text(), await consent.text()];
    for (const html of pages) {
      expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(html.match(/<h1>/g)).toHaveLength(1);
      expect(html).not.toMatch(/<script|tabindex|onclick|autofocus/);
    }
    const [signInPage = '', consentPage = ''] = pages;
    for (const id of ['user_name', 'password'])
      expect(signInPage).toMatch(new RegExp(`<label for="${id}">[^]*<input id="${id}"`));
    expect(buttonsOf(signInPage)).toEqual(['Sign in', 'Cancel']);
    expect(consentPage).toMatch(/<fieldset>\n<legend>Accounts to share<\/legend>/);
    expect(consentPage.match(/<label><input type="checkbox" name="account"/g)).toHaveLength(4);
    expect(buttonsOf(consentPage)).toEqual(['Allow', 'Deny']);
  });

  it('name the client and the data that it requests', async () => {
    const html = await (await openPages()).consent.text();
    expect(html).toContain('<h1>Share your accounts with Tributary?</h1>');
    expect([...html.matchAll(/<li>([^<]+)<\/li>/g)].map(([, words]) => words)).toEqual(
      Object.values(DATA_SCOPES),
    );
  });

  it('refuse a browser that did not start the login', async () => {
    const { address } = await openPages();
    const stranger = await fetch(address);
    expect(stranger.status).toBe(400);
    expect(await stranger.text()).toContain('This sign-in has expired');
  });

  it('forbid frames and caches', async () => {
    const { signIn } = await openPages();
    expect(signIn.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(signIn.headers.get('cache-control')).toBe('no-store');
  });
});

const buttonsOf = (html: string): (string | undefined)[] =>
  [...html.matchAll(/<button [^>]+>([^<]+)</g)].map(([, words]) => words);
