/** Texts of the sign-in. */
export const TEXTS = {
  title: 'Sign in',
  offered: 'This link signs you in once, in this browser, for 12 hours.',
  as: 'As',
  may: 'May',
  app: 'App',
  roles: { operator: 'operate the whole instance', app: 'work with one app' },
  rolesReadOnly: { operator: 'read the whole instance', app: 'read one app' },
  signIn: 'Sign in',
  needLink: 'You need a link to sign in',
  needNewLink: 'You need a new link',
  howTo:
    'A link works once, within ten minutes. Run this where the service runs, and open what it prints:',
  forOperator: 'the command for an operator',
  forApp: 'the command for one app',
  howToOther: 'For someone who works with one app alone:',
  withProvider: 'Sign in with your organization',
  or: 'Or with a one-time link',
  returning: 'Signing you in',
  failed: 'You are not signed in',
  back: 'To the sign-in',
} as const;
