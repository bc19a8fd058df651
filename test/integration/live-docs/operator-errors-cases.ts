import { TRIAL_CERTIFICATE_SUBJECT } from '../../../simulators/vendors/fdx/trial-values.js';
import {
  registerApplication,
  REDIRECT_ADDRESS,
} from '../../support/fixtures/enable-banking-application.js';
import { testSimulator, type TestSimulator } from '../../support/services/vendor-simulators.js';
import {
  add,
  addBank,
  bank,
  setClockAheadMs,
  enableBanking,
  expired,
  originOf,
  REDIRECT,
  simplefin,
  stage,
  WRONG_SECRET,
} from './support/operator-errors-stage.js';

const addSimplefin = (name: string, origin: string) =>
  add(
    'simplefin',
    name,
    `--set server=${origin}/simplefin --set hosts=${new URL(origin).host} --set allowLoopback=true`,
  );

async function addApplication(
  name: string,
  { key = 'application.pem', ...changes }: Record<string, unknown> & { key?: string } = {},
): Promise<void> {
  const application = await registerApplication(enableBanking.url, changes);
  await stage.write('application.pem', application.privateKey);
  await add(
    'enable-banking',
    name,
    `--set apiAddress=${enableBanking.url} --set applicationId=${application.applicationId} --set redirectAddress=${REDIRECT_ADDRESS} --secret privateKey=@${key}`,
  );
}

async function addBankWithCertificate(
  name: string,
  order: { subject: string; isExpired: boolean },
): Promise<void> {
  const { certificate, key } = await bank.certificates.issueForClient(order);
  await stage.write(`${name}.crt`, certificate);
  await stage.write(`${name}.key`, key);
  const secrets = `--secret clientCertificate=@${name}.crt --secret clientCertificateKey=@${name}.key`;
  await addBank('mtls-fdx', name, secrets);
}

/** The response of a shield to an address that it does not know. */
const refuse = (simulator: TestSimulator, path: string) =>
  simulator.script('html_403', { path, times: 20 });

/**
 * The party at fault, the mistake, the output of `providers check`, the next steps, and the words
 * that its page repeats.
 */
type Case = [
  adapter: string,
  error: string,
  prepare: (name: string) => Promise<unknown>,
  says: RegExp,
  remedy: string,
  onPage: string,
];

export const CASES: Case[] = [
  [
    'simplefin',
    'an address that is not allowed',
    async (name) => {
      await refuse(simplefin, '/simplefin/info');
      await addSimplefin(name, simplefin.url);
    },
    /the SimpleFIN server answers: A page was returned instead of an answer\. \(status 403\)/,
    'The address of this machine may not be allowed',
    'A page was returned instead of an answer.',
  ],
  [
    'simplefin',
    'an expired certificate, or a clock that makes it one',
    (name) => addSimplefin(name, originOf(expired)),
    /the SimpleFIN server answers: .*\(CERT_HAS_EXPIRED\)/,
    'Set the clock of this machine',
    '(CERT_HAS_EXPIRED)',
  ],
  [
    'enable-banking',
    'a wrong key',
    (name) => addApplication(name, { key: 'other-rsa-key.pem' }),
    /the application accepts the private key: .*\(UNAUTHORIZED_ACCESS\)/,
    'providers rotate',
    'the application accepts the private key: … (UNAUTHORIZED_ACCESS)',
  ],
  [
    'enable-banking',
    'an address that is not allowed',
    (name) => addApplication(name, { isAddressAllowed: false }),
    /the address of this machine is allowed: .*\(UNAUTHORIZED_IP\)/,
    'Add the public address',
    'the address of this machine is allowed: … (UNAUTHORIZED_IP)',
  ],
  [
    'enable-banking',
    'a wrong clock',
    (name) => {
      setClockAheadMs(-3_600_000);
      return addApplication(name);
    },
    /the clock of this machine is right: 3\d\d\d s behind Enable Banking/,
    'Set the clock of every machine',
    'the clock of this machine is right',
  ],
  [
    'enable-banking',
    'a redirect address that is not registered',
    (name) => addApplication(name, { redirectUrls: [`${REDIRECT_ADDRESS}/`] }),
    /the redirect address is registered: .* is not among the 1 of the application/,
    `Add ${REDIRECT_ADDRESS} to the redirect URLs`,
    'the redirect address is registered: … is not among the 1 of the application',
  ],
  [
    'fdx',
    'an expired client certificate',
    (name) => addBankWithCertificate(name, { subject: TRIAL_CERTIFICATE_SUBJECT, isExpired: true }),
    /the client certificate is valid: until \d{4}-/,
    'Order a new certificate',
    'the client certificate is valid',
  ],
  [
    'fdx',
    'a client certificate of someone else',
    (name) => addBankWithCertificate(name, { subject: 'CN=another-client', isExpired: false }),
    /Meridian Bank, partner access: the bank accepts our keys: The bank refused/,
    'Compare the subject of the client certificate',
    'the bank accepts our keys',
  ],
  [
    'fdx',
    'a wrong client secret',
    (name) => addBank('plain-fdx', name, '--secret clientSecret=prompt', WRONG_SECRET),
    /Prairie Credit Union: the bank accepts our keys: The bank refused the keys/,
    'replace the clientSecret: providers rotate',
    'the bank accepts our keys',
  ],
  [
    'fdx',
    'a signing key that the bank does not know',
    (name) => addBank('first-fdx', name, '--secret signingKey=@other-key.pem'),
    /Harbour Federal Bank: the bank accepts our keys: The bank refused the keys/,
    'Register the public key at the bank',
    'the bank accepts our keys',
  ],
  [
    'fdx',
    'an address that is not allowed',
    async (name) => {
      await refuse(testSimulator(bank), '/first-fdx/.well-known/*');
      await addBank('first-fdx', name, '--secret signingKey=@client-key.json');
    },
    /the authorization server answers: .*its address may not be allowed\. \(status 403\)/,
    'Ask the bank to allow the public address',
    'its address may not be allowed',
  ],
  [
    'fdx',
    'a wrong clock',
    (name) => {
      setClockAheadMs(7_200_000);
      return addBank('first-fdx', name, '--secret signingKey=@client-key.json');
    },
    /its clock and ours agree: ours is 7\d\d\d s ahead/,
    'Set the clock of this machine',
    'its clock and ours agree',
  ],
  [
    'fdx',
    'a redirect address that is not registered',
    (name) =>
      addBank(
        'first-fdx',
        name,
        `--set redirectUri=${REDIRECT}/ --secret signingKey=@client-key.json`,
      ),
    /the redirect address is registered: The bank refused the login request/,
    `Register ${REDIRECT}/ at the bank`,
    'the redirect address is registered',
  ],
];
