import type { StepKind } from '../../domain/session/connect-step.js';

/** A note for workflows whose attempts are retries of one activity. */
export const SEE_PENDING_ACTIVITY =
  'The pending activity shows why the last attempt failed and when the next is due.';

/** The waits of workflows, described for operators. Names in them are quoted as code. */
export const WAITS = {
  opening: () => 'the user to open Connect',
  step: (kind: StepKind) => STEPS[kind],
  exchange: () => 'the app to exchange its token',
  bank: () => 'the bank to respond to the login',
  fetch: (product: string, attempt: number) => `\`${product}\`, attempt ${attempt}`,
  accountsFirst: (product: string) => `\`accounts\`, which are fetched before \`${product}\``,
  nextFetch: (product: string) => `the time of the next attempt for \`${product}\``,
  update: () => 'the provider to ask the bank for new data',
  revocation: (attempt: number) => `the bank to end a permission, attempt ${attempt}`,
  nextRevocation: () => 'the time of the next attempt to end a permission at the bank',
  endOfPermission: () => 'the sandbox bank to refuse the permission',
  delivery: (event: string, host: string) => `\`${host}\` to accept \`${event}\``,
  providerWebhook: () => 'the key of the provider, to verify its webhook',
  institutions: () => "the provider's whole list of institutions",
  erasureStep: () => 'the database to erase the next rows',
  erasureHolder: () => 'a bank, a delivery or a session that still needs the records',
  nextKey: () => 'the new signing key to sign',
  oldKey: () => 'the previous signing key to leave the published set',
  dueLinks: (round: number) => `the database to claim due links, round ${round}`,
  sandboxRequest: () => 'the sandbox provider to run the command',
  sandboxLogin: () => 'the sandbox bank to accept a login without a user',
  worldAdvance: () => 'the world to reach its target time',
  worldEnd: () => 'the sandbox provider to forget the world',
} as const;

const STEPS: Readonly<Record<StepKind, string>> = {
  select_institution: 'the user to choose a bank',
  form: 'the user to fill in the form of the bank',
  choice: 'the user to choose one of the options shown',
  otp: 'the user to enter the code of the bank',
  image: 'the user to answer the question about an image',
  redirect: "the user to sign in on the bank's own pages",
  wait: 'the bank, while the user waits or acts there',
  select_accounts: 'the user to choose accounts',
  consent: 'the user to consent to the products',
  success: 'the app to exchange its token',
  error: 'the user to try again or choose another bank',
};
