import { randomUUID } from 'node:crypto';
import * as oauth from 'openid-client';
import { KeysRefused, ProviderFailure } from '../../domain/errors/provider-failure.js';
import { connectionRemedy } from '../http/transport-failure.js';
import type { ConfigurationReport, ReportLine } from '../contract/provider.js';
import type { ClientCertificate } from './client/client-certificate.js';
import { differences, discover, type DiscoveryParts } from './client/discovery.js';
import { createDpopKey, dpopHandleOf } from './client/dpop-key.js';
import { CLOCK_TOLERANCE_SECONDS, type OAuthClient } from './client/oauth-client.js';
import { isAddressRefused } from './failure-table.js';
import { isPushed, pushRequest } from './login/redirect-login.js';
import type { FdxInstitution } from './settings.js';

export interface CheckParts {
  discovery: DiscoveryParts;
  client: OAuthClient;
  institutions: readonly FdxInstitution[];
  certificate: ClientCertificate | null;
  redirectUri: string | undefined;
  now: () => Date;
}

const AT_ONCE = 8;

/** Checks whether every bank accepts the keys of the configuration. Reads no user's data. */
export async function checkKeys(
  parts: CheckParts,
  signal: AbortSignal,
): Promise<ConfigurationReport> {
  const banks: BankReport[] = [];
  for (let at = 0; at < parts.institutions.length; at += AT_ONCE) {
    const group = parts.institutions.slice(at, at + AT_ONCE);
    banks.push(...(await Promise.all(group.map((bank) => checkBank(parts, bank, signal)))));
    signal.throwIfAborted();
  }
  const lines = [...certificateLines(parts), ...banks.flatMap((bank) => bank.lines)];
  return {
    ok: lines.every((line) => line.ok),
    lines,
    // One bank of several must not stop the others.
    keysRefused: banks.every((bank) => bank.keysRefused),
    unreachable: banks.filter(({ isReached }) => !isReached).map(({ remoteId }) => remoteId),
    credentialsEndAt: parts.certificate?.endsAt ?? null,
  };
}

interface BankReport {
  remoteId: string;
  isReached: boolean;
  lines: ReportLine[];
  keysRefused: boolean;
}

async function checkBank(
  parts: CheckParts,
  institution: FdxInstitution,
  signal: AbortSignal,
): Promise<BankReport> {
  const { lines, isReached, isClockRight } = await discoveryLines(parts, institution, signal);
  // Keys are sent only to pinned addresses, and without a server there is nothing to authenticate
  // at.
  const reached = { remoteId: institution.remoteId, isReached, lines };
  if (!isReached || institution.metadata === null) return { ...reached, keysRefused: false };
  const refusal = await refusalOf(() => tryKeys(parts, institution, signal));
  lines.push({
    what: `${institution.name}: the bank accepts our keys`,
    ok: refusal === null,
    detail: refusal?.message ?? null,
    remedy: refusal === null ? null : keyRemedy(refusal, institution, isClockRight),
  });
  if (refusal === null) lines.push(...(await redirectLines(parts, institution, signal)));
  return { ...reached, keysRefused: refusal instanceof KeysRefused && isClockRight };
}

/** Signatures carry the time, so keys are judged only when the clock is right. */
function keyRemedy(
  refusal: ProviderFailure,
  { clientAuthentication }: FdxInstitution,
  isClockRight: boolean,
): string {
  if (!isClockRight) return 'Set the clock first.';
  return refusal instanceof KeysRefused ? KEY_REMEDIES[clientAuthentication] : reachRemedy(refusal);
}

function reachRemedy(failure: ProviderFailure): string {
  if (isAddressRefused(failure))
    return 'Ask the bank to allow the public address of the machines with workers.';
  return (
    connectionRemedy(failure) ??
    'Check issuer, and that this machine may reach it (DNS, firewall, proxy). If both are right, the bank is down.'
  );
}

const KEY_REMEDIES: Readonly<Record<FdxInstitution['clientAuthentication'], string>> = {
  client_secret_basic:
    'Compare clientId with the registration at the bank, and replace the clientSecret: providers rotate.',
  private_key_jwt:
    'Register the public key at the bank (its address ends in /provider-keys/ and the name of the configuration), or replace the signingKey: providers rotate.',
  mtls: 'Compare the subject of the client certificate with the registration at the bank, check its end, and replace both certificate and key: providers rotate.',
};

async function discoveryLines(
  { discovery, now }: CheckParts,
  institution: FdxInstitution,
  signal: AbortSignal,
): Promise<{ lines: ReportLine[]; isReached: boolean; isClockRight: boolean }> {
  const what = `${institution.name}: the authorization server answers`;
  try {
    const { metadata, date } = await discover(discovery, institution, signal);
    const clock = date === null ? [] : [clockLine(institution, now(), date)];
    const lines = [
      { what, ok: true, detail: null, remedy: null },
      pinLine(institution, institution.metadata && differences(institution.metadata, metadata)),
      ...clock,
    ];
    return { lines, isReached: true, isClockRight: clock.every(({ ok }) => ok) };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const unreached = { what, ok: false, detail: error.message, remedy: reachRemedy(error) };
    const unpinned = institution.metadata === null ? [pinLine(institution, null)] : [];
    const lines = [unreached, ...unpinned];
    return { lines, isReached: false, isClockRight: true };
  }
}

/** @param changed null = nothing is pinned */
function pinLine({ name }: FdxInstitution, changed: readonly string[] | null): ReportLine {
  const what = `${name}: its addresses are the pinned ones`;
  if (changed?.length === 0) return { what, ok: true, detail: null, remedy: null };
  return {
    what,
    ok: false,
    detail:
      changed === null
        ? 'none are pinned, so no login goes there'
        : `differs in ${changed.join(', ')}`,
    remedy:
      changed === null
        ? 'When the bank answers, check again: each check pins what is not pinned yet.'
        : 'Ask the bank whether it changed them. If it did, pin the new ones: providers set <name> --repin.',
  };
}

function clockLine({ name }: FdxInstitution, now: Date, date: Date): ReportLine {
  const seconds = Math.round((now.getTime() - date.getTime()) / 1_000);
  const ok = Math.abs(seconds) <= CLOCK_TOLERANCE_SECONDS;
  return {
    what: `${name}: its clock and ours agree`,
    ok,
    detail: `ours is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}`,
    remedy: ok ? null : 'Set the clock of this machine by a time server (NTP).',
  };
}

/**
 * A nonexistent refresh token: a bank that accepts the client refuses the token, not the client.
 */
async function tryKeys(
  { client }: CheckParts,
  institution: FdxInstitution,
  signal: AbortSignal,
): Promise<void> {
  const how = { stage: 'renewal', signal } as const;
  const attempt = client.run(institution, how, async (configuration) => {
    const key = institution.dpop ? await createDpopKey() : null;
    const DPoP = await dpopHandleOf(configuration, key);
    return oauth.refreshTokenGrant(configuration, randomUUID(), undefined, { DPoP });
  });
  await attempt.catch((error: unknown) => {
    if (!(error instanceof ProviderFailure && error.providerCause === 'consent_expired'))
      throw error;
  });
}

/** With pushed requests, the bank checks the redirect address immediately. */
async function redirectLines(
  { client, redirectUri }: CheckParts,
  institution: FdxInstitution,
  signal: AbortSignal,
): Promise<ReportLine[]> {
  if (redirectUri === undefined) return [];
  const what = `${institution.name}: the redirect address is registered`;
  const how = { stage: 'login', signal } as const;
  let isTried = true;
  const refusal = await refusalOf(() =>
    client.run(institution, how, async (configuration, metadata) => {
      isTried = isPushed(institution, metadata);
      if (isTried)
        await pushRequest({ configuration, metadata }, institution, {
          products: ['accounts'],
          state: randomUUID(),
          redirectUri,
        });
    }),
  );
  if (!isTried) return [];
  const remedy = `Register ${redirectUri} at the bank as a redirect address, letter by letter.`;
  return [
    {
      what,
      ok: refusal === null,
      detail: refusal?.message ?? null,
      remedy: refusal === null ? null : remedy,
    },
  ];
}

function certificateLines({ certificate, now }: CheckParts): ReportLine[] {
  if (certificate === null) return [];
  const ok = certificate.endsAt > now();
  return [
    {
      what: 'the client certificate is valid',
      ok,
      detail: `until ${certificate.endsAt.toISOString().slice(0, 10)}`,
      remedy: ok
        ? null
        : 'Order a new certificate, register it at the bank if it asks for that, and replace both clientCertificate and clientCertificateKey: providers rotate.',
    },
  ];
}

/** @returns null when it succeeds */
async function refusalOf(run: () => Promise<unknown>): Promise<ProviderFailure | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof ProviderFailure) return error;
    throw error;
  }
}
