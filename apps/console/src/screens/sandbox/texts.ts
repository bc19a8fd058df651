/** Texts of the sandbox screen. */
export const TEXTS = {
  sandbox: 'Sandbox',
  views: 'Parts of the sandbox',
  try: 'Link a test bank',
  connect: 'Try Connect',
  worlds: 'Worlds',
  world: 'World',
  scripts: 'Scripts',
  faults: 'Faults',

  tryHint:
    'The sandbox bank is linked without a user. The link, its data and its webhooks are like those of a user who signed in.',
  bank: 'Bank',
  userName: 'User name',
  userNames: [
    ['', 'Everything works'],
    ['locked', 'locked: the account is locked'],
    ['auth_expires', 'auth_expires: the permission ends soon'],
  ] as readonly (readonly [string, string])[],
  user: 'User id',
  webhook: 'Webhook address',
  webhookHint: 'Optional. Without one, events are recorded and not sent.',
  defaultWorld: 'The default world: real time',
  linkNow: 'Link it',
  linked: 'Linked',
  openLink: 'Open the link',
  breakIt: 'End a sign-in',
  breakHint:
    'The bank ends the permission of a link, so its user has to sign in again. Your app sees the error and repairs the link.',
  breakNow: 'End the sign-in',
  broken: 'The sign-in ended.',
  link: 'Link',

  connectHint:
    'Connect opens in this page as in your app. Its callbacks, and the calls of a back end, are shown beside it.',
  userChooses: 'The user chooses',
  alsoAsk: 'Also ask for',
  furtherProducts: [
    ['investments', 'Investments'],
    ['liabilities', 'Debts'],
  ] as const,
  openConnect: 'Open Connect',
  notListed:
    'This app lists the pages that may open Connect, and this console is none of them. An operator adds it:',
  listIt: 'Command',
  frame: 'Connect',
  frameOver: 'Connect was closed.',
  log: 'Callbacks and calls',
  openEvents: 'Its webhooks',

  worldsHint:
    'A world has a clock of its own. Advancing it runs what would happen in that time: refreshes, postings, ends of permissions, webhooks.',
  newWorld: 'New world',
  worldName: 'Name',
  worldStart: 'Starts at',
  worldStartHint: 'Empty: now.',
  create: 'Create',
  noWorld: 'No world yet',
  noWorldHint: 'The default world has real time. Create one with a clock.',
  worldNow: 'now',
  advance: 'Advance by',
  steps: [
    ['P1D', '1 day'],
    ['P7D', '7 days'],
    ['P30D', '30 days'],
  ] as readonly (readonly [string, string])[],
  advanceTo: 'or to',
  advanceNow: 'Advance',
  ran: 'It ran',
  ranParts: {
    scheduled_refreshes: 'refreshes',
    settled_rows: 'settled transactions',
    expired_auths: 'ended sign-ins',
    events: 'webhook events',
  } as Readonly<Record<string, string>>,
  notSettled: 'Some work still runs; the lists show it when it is done.',
  deleteWorld: 'Delete',
  askDeleteWorld: (name: string) => `Delete the world ${name}?`,
  askDeleteWorldText: 'Its links stop working, and its clock is gone.',

  faultsHint: 'A fault makes the next requests to a sandbox bank fail, as a real bank would.',
  operation: 'Request',
  operations: [
    ['any', 'Any request'],
    ['login', 'Sign-in'],
    ['accounts', 'Accounts'],
    ['account_numbers', 'Account numbers'],
    ['identity', 'Identity'],
    ['transactions', 'Transactions'],
    ['investments', 'Investments'],
    ['liabilities', 'Liabilities'],
  ] as readonly (readonly [string, string])[],
  kind: 'Fault',
  kinds: [
    ['timeout', 'No response in time'],
    ['server_error', 'Error of the bank'],
    ['slow', 'Slow'],
    ['rate_limited', 'Too many requests'],
    ['provider_down', 'Source is down'],
    ['malformed', 'Response cannot be read'],
    ['auth_expired', 'Sign-in ended'],
    ['not_supported', 'Not supported'],
    ['no_permission', 'No permission'],
    ['no_accounts', 'No accounts'],
    ['unreadable_account', 'One account cannot be read'],
    ['unreadable_row', 'One transaction cannot be read'],
    ['unreadable_holding', 'One holding cannot be read'],
    ['unreadable_liability', 'One debt cannot be read'],
  ] as readonly (readonly [string, string])[],
  count: 'How often',
  countHint: 'Empty: until it is ended.',
  createFault: 'Create the fault',
  current: 'Faults of this bank',
  noFault: 'No fault: the bank works.',
  left: (count: number | null) =>
    count === null ? 'until it is ended' : `${count} more ${count === 1 ? 'time' : 'times'}`,
  created: 'Created',
  end: 'End',

  scriptsHint:
    'A script changes what the bank of a link shows: all of its steps or none. Steps are JSON, one list.',
  changed: 'Changes',
  changes: [
    ['transactions', 'Transactions'],
    ['holdings', 'Holdings'],
    ['liabilities', 'Debts'],
  ] as const,
  script: 'Steps',
  refreshAfter: 'Refresh the link afterwards',
  run: 'Run the script',
  notJson: 'This is not a JSON list.',
  applied: (count: number) => `${count} ${count === 1 ? 'step was' : 'steps were'} applied.`,
  failedStep: 'Step',
  chooseBank: 'Choose a bank.',
} as const;

/** The first script that the form offers for each part. */
export const EXAMPLE_SCRIPTS = {
  transactions: `[
  { "verb": "authorize", "ref": "coffee", "amount": 4.50, "description": "Coffee" },
  { "verb": "post", "ref": "coffee" }
]`,
  holdings: `[
  { "verb": "set", "holding_id": "HOLDING_ID", "price": "212.40" }
]`,
  liabilities: `[
  { "verb": "set", "account_id": "ACCOUNT_ID", "is_overdue": true }
]`,
} as const;
