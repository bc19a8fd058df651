import { generateKeyPair } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { call } from '../http-calls.js';
import type { SimulatorAddresses } from './start-simulators.js';

/** Arguments of `providers add` for an adapter. */
export interface NewConfiguration {
  adapter: keyof SimulatorAddresses;
  name: string;
  options: string[];
}

interface Places {
  simulators: SimulatorAddresses;
  /** The folder of the keys for the commands. */
  folder: string;
  /** The address to which banks return users. */
  redirectAddress: string;
}

/** Countries of the vendors' banks; the second of SimpleFIN's own two is omitted. */
export const COUNTRIES = ['US', 'DE', 'ES', 'FI', 'FR'];

/** Registers us at the vendors, as an operator does at their pages. @returns the configurations to add */
export async function registerAtVendors(places: Places): Promise<NewConfiguration[]> {
  await mkdir(places.folder, { recursive: true, mode: 0o700 });
  return [simplefin(places), await enableBanking(places), await fdx(places)];
}

function simplefin({ simulators: { simplefin: url } }: Places): NewConfiguration {
  const settings = {
    server: `${url}/simplefin`,
    hosts: new URL(url).host,
    institutionName: 'SimpleFIN Bridge',
    allowLoopback: 'true',
  };
  return { adapter: 'simplefin', name: 'simplefin-simulator', options: given('--set', settings) };
}

async function enableBanking({
  simulators: { 'enable-banking': url },
  folder,
  redirectAddress,
}: Places): Promise<NewConfiguration> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const application = { publicKey, redirectUrls: [redirectAddress], environment: 'SANDBOX' };
  const { id } = await call<{ id: string }>(
    'POST',
    `${url}/simulator/enable-banking/applications`,
    { json: application },
  );
  const settings = {
    apiAddress: url,
    applicationId: id,
    redirectAddress,
    countries: COUNTRIES.filter((country) => country !== 'US').join(','),
  };
  const secrets = { privateKey: await inFile(folder, 'enable-banking.pem', privateKey) };
  return {
    adapter: 'enable-banking',
    name: 'enable-banking-simulator',
    options: [...given('--set', settings), ...given('--secret', secrets)],
  };
}

interface TrialValues {
  institutions: {
    id: string;
    name: string;
    domain: string;
    country: string;
    issuer: string;
    resourceUrl: string;
    clientId: string;
    clientAuthentication: string;
    clientSecret: string | null;
    dpop: boolean;
  }[];
  clientKey: object;
  certificateAuthority: string;
  clientCertificate: string;
  clientCertificateKey: string;
}

async function fdx({
  simulators: { fdx: url },
  folder,
  redirectAddress,
}: Places): Promise<NewConfiguration> {
  await call('POST', `${url}/simulator/fdx/client`, { json: { redirectUris: [redirectAddress] } });
  const trial = await call<TrialValues>('GET', `${url}/simulator/fdx/trial-values`);
  const banks = trial.institutions.map((bank) => ({
    remoteId: bank.id,
    name: bank.name,
    country: bank.country,
    url: `https://www.${bank.domain}`,
    issuer: bank.issuer,
    fdxBase: bank.resourceUrl,
    clientId: bank.clientId,
    clientAuthentication:
      bank.clientAuthentication === 'tls_client_auth' ? 'mtls' : bank.clientAuthentication,
    dpop: bank.dpop,
  }));
  const clientSecret = trial.institutions.find((bank) => bank.clientSecret !== null)?.clientSecret;
  const settings = {
    institutions: await inFile(folder, 'banks.json', JSON.stringify(banks)),
    certificateAuthority: await inFile(folder, 'authority.pem', trial.certificateAuthority),
    redirectUri: redirectAddress,
    allowLoopback: 'true',
  };
  const secrets = {
    clientSecret: await inFile(folder, 'client-secret', clientSecret ?? ''),
    signingKey: await inFile(folder, 'signing-key.json', JSON.stringify(trial.clientKey)),
    clientCertificate: await inFile(folder, 'client.pem', trial.clientCertificate),
    clientCertificateKey: await inFile(folder, 'client-key.pem', trial.clientCertificateKey),
  };
  const options = [...given('--set', settings), ...given('--secret', secrets)];
  return { adapter: 'fdx', name: 'fdx-simulator', options };
}

const given = (option: string, values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => [option, `${name}=${value}`]);

/** Writes a file that only our account can read. @returns its name in options */
async function inFile(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600 });
  return `@${path}`;
}
