import { randomUUID } from 'node:crypto';
import { createSandboxProvider } from '../../../providers/sandbox/sandbox-provider.js';
import { decideAtBank, valueOf, visitOAuthBank } from '../../support/actors/oauth-bank-visitor.js';
import { connectionTo } from './support/sandbox-bank.js';
import { bankApi } from './bank-api.js';
import { bankCustomer, refusal } from './bank-customer.js';
import { openTcpGate } from '../../support/services/tcp-gate.js';
import {
  accountsOf,
  addressOf,
  ALL,
  bank,
  BANK,
  customer,
  killAndRestart,
  database,
  pageOf,
  provider,
  startOAuthBank,
} from './support/oauth-bank-stage.js';
import { itInLongRuns } from '../../support/fixtures/long-runs.js';
import { queryAt } from '../../support/services/postgres.mjs';

startOAuthBank();

describe('OAuth Bank', () => {
  it('continues for a user who submits twice or returns, and links once', async () => {
    const { context, start } = await customer.startRedirect();
    const visitor = visitOAuthBank();
    await visitor.open(start.authorizeUrl);
    const [first, second] = await Promise.allSettled([
      visitor.press('approve'),
      visitor.press('approve'),
    ]);
    const codes = [first, second].flatMap((visit) =>
      visit.status === 'fulfilled' && visit.value.kind === 'left' ? [visit.value.address] : [],
    );
    expect(codes.length).toBeGreaterThan(0);
    expect(await customer.complete(context, start.state, codes[0] ?? '')).toMatchObject({
      kind: 'linked',
    });
    expect(pageOf(await visitOAuthBank().open(start.authorizeUrl))).toMatchObject({
      status: 400,
      html: expect.stringContaining('This sign-in has expired'),
    });
  });

  it('redeems a code once, and revokes everything when it is used again', async () => {
    const { context, start } = await customer.startRedirect();
    const back = await decideAtBank(start.authorizeUrl);
    const outcome = await customer.complete(context, start.state, back);
    await expect(customer.complete(context, start.state, back)).rejects.toMatchObject(
      refusal('institution_timeout'),
    );
    await expect(provider.fetchAccounts(customer.accessOf(outcome))).rejects.toMatchObject(
      refusal('consent_expired'),
    );
  });

  it.each<[string, (back: URL) => void]>([
    ['another state', (back) => back.searchParams.set('state', randomUUID())],
    ['no state', (back) => back.searchParams.delete('state')],
    ['another issuer', (back) => back.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', (back) => back.searchParams.delete('iss')],
    ['two codes', (back) => back.searchParams.append('code', 'x')],
  ])('is not trusted with %s', async (_, forge) => {
    const { context, start } = await customer.startRedirect();
    const back = new URL(await decideAtBank(start.authorizeUrl));
    forge(back);
    await expect(customer.complete(context, start.state, back.href)).rejects.toMatchObject(
      refusal('malformed'),
    );
  });

  it('refuses the code of one redirect on another', async () => {
    const [mine, other] = [await customer.startRedirect(), await customer.startRedirect()];
    const stolen = new URL(await decideAtBank(other.start.authorizeUrl));
    stolen.searchParams.set(
      'state',
      new URL(mine.start.authorizeUrl).searchParams.get('state') ?? '',
    );
    await expect(
      customer.complete(mine.context, mine.start.state, stolen.href),
    ).rejects.toMatchObject({ name: 'ProviderFailure' });
  });

  it.each<[string, (query: URLSearchParams) => void]>([
    ['without PKCE', (query) => query.delete('code_challenge')],
    ['with plain PKCE', (query) => query.set('code_challenge_method', 'plain')],
    [
      'with another redirect address',
      (query) => query.set('redirect_uri', 'https://evil.example/'),
    ],
    ['for a token at once', (query) => query.set('response_type', 'token')],
    ['of no_one', (query) => query.set('client_id', 'no_one')],
    ['for no login', (query) => query.set('login_id', 'lgn_0')],
  ])('refuses a request %s', async (_, forge) => {
    const url = new URL((await customer.startRedirect()).start.authorizeUrl);
    forge(url.searchParams);
    const visit = await visitOAuthBank().open(url.href);
    if (visit.kind === 'page')
      expect(visit).toMatchObject({
        status: 400,
        html: expect.stringContaining('This sign-in has expired'),
      });
    else expect(visit.address).toMatch(/[?#&]error=(invalid_request|unsupported_response_type)&/);
  });

  it('shows its page only to the browser that made the request', async () => {
    const { start } = await customer.startRedirect();
    const mine = visitOAuthBank();
    const page = pageOf(await mine.open(start.authorizeUrl));
    const address = /action="([^"]+)"/.exec(page.html)?.[1] ?? '';
    expect(pageOf(await visitOAuthBank().open(`${bank.url}${address}`))).toMatchObject({
      status: 400,
    });
  });

  it('cannot be read or answered with the id that a browser knows', async () => {
    const loginId =
      new URL((await customer.startRedirect()).start.authorizeUrl).searchParams.get('login_id') ??
      '';
    const api = bankApi(bank);
    expect((await api.call('GET', `/v1/logins/${loginId}`)).status).toBe(404);
    const answer = {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        step: 1,
        kind: 'PASSWORD',
        user_name: 'user_good',
        password: 'pass_good',
      }),
    };
    expect((await api.call('POST', `/v1/logins/${loginId}/answers`, answer)).status).toBe(404);
  });

  it('asks every visitor again and remembers none', async () => {
    const visitor = visitOAuthBank();
    for (const userName of ['user_good', 'user_dynamic']) {
      const { start } = await customer.startRedirect();
      expect(valueOf(pageOf(await visitor.open(start.authorizeUrl)).html, 'user_name')).toBe(
        'user_good',
      );
      expect(addressOf(await visitor.press('approve', { userName })).searchParams.has('code')).toBe(
        true,
      );
    }
  });

  itInLongRuns('continues after kill -9 at every point', async () => {
    const { context, start } = await customer.startRedirect();
    const visitor = visitOAuthBank();
    await visitor.open(start.authorizeUrl);
    await killAndRestart();
    const back = addressOf(await visitor.press('approve'));
    await killAndRestart();
    const outcome = await customer.complete(context, start.state, back.href);
    await killAndRestart();
    expect(await accountsOf(outcome)).toEqual(ALL);
  });

  it('keeps codes and tokens out of its tables and its log', async () => {
    const { context, start } = await customer.startRedirect();
    const back = new URL(await decideAtBank(start.authorizeUrl));
    const outcome = await customer.complete(context, start.state, back.href);
    const { access_token: token } = JSON.parse(
      new TextDecoder().decode(customer.accessOf(outcome).credential),
    ) as { access_token: string };
    const code = back.searchParams.get('code') ?? '';
    const rows = await queryAt(
      database.url,
      'select o::text from sandbox_bank.oauth_record o union all select t::text from sandbox_bank.access_token t',
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const secret of [code, token]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(bank.output()).not.toContain(secret);
    }
  });

  it('is reached at one address and known to browsers by another', async () => {
    const gate = await openTcpGate({ host: '127.0.0.1', port: bank.ports.controlPort });
    const inside = bankCustomer(
      createSandboxProvider({ ...connectionTo(bank), baseUrl: `http://127.0.0.1:${gate.port}` }),
      BANK,
    );
    const { context, start } = await inside.startRedirect();
    expect(new URL(start.authorizeUrl).origin).toBe(bank.url);
    const back = await decideAtBank(start.authorizeUrl);
    gate.set('cut');
    await expect(inside.complete(context, start.state, back)).rejects.toMatchObject(
      refusal('institution_down'),
    );
    gate.set('open');
    expect(await inside.complete(context, start.state, back)).toMatchObject({ kind: 'linked' });
    await gate.close();
  });
});
