import {
  presentInstitution,
  presentView,
} from '../../../apps/api/src/connect/session/present-view.js';
import { endOf } from '../../../apps/api/src/connect/session/session-end.js';
import { makeStep } from '../../../domain/session/connect-step.js';
import { combineRequestedProducts } from '../../../domain/link/products.js';
import type { InstitutionRecord } from '../../../prisma/sources/institutions/institution.repository.js';
import type { SessionRecord } from '../../../prisma/links/sessions/session-record.js';

const BANK: InstitutionRecord = {
  institutionId: 'sandbox-credentials-bank',
  aliases: ['old'],
  name: 'Credentials Bank',
  country: 'US',
  domain: 'credentials-bank.example',
  color: '#0a6b4f',
  colorDark: '#41c79a',
  logoDigest: null,
  isFeatured: true,
  login: 'credentials',
  knownSince: new Date(0),
  routes: [
    {
      provider: 'sandbox',
      remoteId: 'r',
      login: 'form',
      products: ['accounts'],
      health: 'operational',
    },
  ],
};
const BASE_URL = 'https://api.example';
const SESSION: SessionRecord = {
  sessionId: 'ses_ZPnZVLG8G6YmpDhYAmMRPo',
  appId: 'pocket-ledger',
  environment: 'sandbox',
  clientId: 'sandbox_x',
  mode: 'link',
  beganAs: 'link',
  existingLinkId: null,
  state: 'open',
  endReason: null,
  customerUserPk: 1n,
  customerUserId: 'canary-user',
  app: { name: 'Pocket Ledger', logoUrl: null, pageOrigins: [] },
  presetInstitutionId: null,
  products: combineRequestedProducts({
    products: ['transactions', 'identity'],
    productsSettings: {
      transactions: { required: true },
      identity: { reason: 'confirm your name' },
    },
  }),
  countries: ['US'],
  providers: [],
  features: { connect_manually: false, issue_reporter: true },
  theme: null,
  redirectUri: 'https://app.example/bank-return',
  webhook: 'https://app.example/hook',
  webhookFormat: 'native',
  options: null,
  succeededAt: null,
  exit: null,
  tags: ['canary-tag'],
  worldId: 'default',
  expiresAt: new Date('2026-03-02T10:45:00Z'),
  totalExpiresAt: null,
  openedAt: null,
  seq: 4,
  step: makeStep(
    4,
    {
      kind: 'otp',
      channel: 'sms',
      target: '••• ••42',
      length: 6,
      digits_only: true,
      resend_after_seconds: 20,
    },
    { can_go_back: true, attempts_left: 3, expires_at: '2026-03-02T10:25:00.000' },
  ),
  phase: 'answering',
  stepsTaken: 3,
  institutionId: BANK.institutionId,
  linkPk: 1n,
  linkId: 'mk_x',
  bankAccepted: false,
  resumedWithoutToken: false,
  finishedAt: null,
  browserHash: null,
  browserRequestId: null,
};

describe('The view of a session', () => {
  it('has the shape of the contract', () => {
    expect(presentView(SESSION, BANK, BASE_URL)).toEqual({
      session_id: 'ses_ZPnZVLG8G6YmpDhYAmMRPo',
      mode: 'link',
      environment: 'sandbox',
      expires_at: '2026-03-02T10:45:00.000',
      seq: 4,
      app: { name: 'Pocket Ledger', logo_url: null },
      products: {
        transactions: { required: true, reason: null },
        identity: { required: false, reason: 'confirm your name' },
      },
      countries: ['US'],
      features: { connect_manually: false },
      theme: null,
      redirect_uri: 'https://app.example/bank-return',
      institution: {
        institution_id: 'sandbox-credentials-bank',
        name: 'Credentials Bank',
        country: 'US',
        domain: 'credentials-bank.example',
        color: '#0a6b4f',
        color_dark: '#41c79a',
        logo_url: null,
        group: 'primary',
        login: 'credentials',
        health: 'operational',
      },
      step: {
        kind: 'otp',
        id: 'st_4',
        can_go_back: true,
        message: null,
        error: null,
        attempts_left: 3,
        expires_at: '2026-03-02T10:25:00.000',
        channel: 'sms',
        target: '••• ••42',
        length: 6,
        digits_only: true,
        resend_after_seconds: 20,
      },
    });
  });

  it('names the caller where the Plaid layer created the session', () => {
    const plaid = {
      unopenedMs: 1,
      clientName: 'Piggy Bank',
      language: 'xx',
      countryCodes: ['US'],
      initialProducts: [],
      accountFilters: null,
      accountTypes: null,
      historyDays: null,
      institutionAlias: null,
      redirectUri: null,
      hosted: null,
      asksForAccounts: false,
    };
    expect(presentView({ ...SESSION, options: plaid }, null, BASE_URL)).toMatchObject({
      app: { name: 'Piggy Bank' },
      locale: 'en',
    });
    expect(
      presentView({ ...SESSION, options: { ...plaid, language: 'de' } }, null, BASE_URL).locale,
    ).toBe('de');
  });

  it('does not reveal to the browser data between the app and the service', () => {
    expect(JSON.stringify(presentView(SESSION, null, BASE_URL))).not.toMatch(/canary|hook|mk_x/);
  });
});

describe('The health of an institution', () => {
  const health = (routes: InstitutionRecord['routes'], providers: string[] = []) =>
    presentInstitution(
      { ...BANK, routes, isFeatured: false },
      { providers, redirectUri: 'https://app.example/return' },
      BASE_URL,
    );
  const route = (provider: string, state: 'operational' | 'degraded' | 'down') => ({
    provider,
    remoteId: 'r',
    login: 'form' as const,
    products: [],
    health: state,
  });

  it('is that of the best provider the session may use', () => {
    expect(health([route('a', 'down'), route('b', 'degraded')])).toMatchObject({
      health: 'degraded',
      group: 'secondary',
    });
    expect(health([route('a', 'operational'), route('b', 'down')], ['b'])).toMatchObject({
      health: 'down',
    });
    expect(health([])).toMatchObject({ health: 'down' });
  });
});

describe('The outcome of a session', () => {
  const now = new Date('2026-03-02T10:44:59Z');
  it.each([
    [{}, now, null],
    [{}, new Date('2026-03-02T10:45:00Z'), 'connect_error.session_expired'],
    [{ state: 'ended', endReason: 'expired' }, now, 'connect_error.session_expired'],
    [{ state: 'ended', endReason: 'exchange_window_over' }, now, 'connect_error.session_expired'],
    [{ state: 'ended', endReason: 'exchanged' }, now, 'connect_error.session_closed'],
    [{ state: 'ended', endReason: 'link_deleted' }, now, 'connect_error.session_closed'],
    [{ state: 'ended', endReason: 'cancelled' }, now, 'connect_error.session_closed'],
  ] as const)('is %j at %s: %s', (fields, at, code) =>
    expect(endOf({ ...SESSION, ...fields }, at)?.code ?? null).toBe(code),
  );
});
