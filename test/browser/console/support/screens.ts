/** The parts of an address, and the rows that a screen shows. */
export interface ScreenPlace {
  app: string;
  linkId: string;
  eventId: string;
}

/** Every screen, with its address and its heading: one line each. */
export const SCREENS: Readonly<
  Record<string, { at: (place: ScreenPlace) => string; heading: RegExp | string; until?: RegExp }>
> = {
  instance: { at: () => '/', heading: 'The instance', until: /rows on this page/ },
  attention: {
    at: () => '/attention?of=receivers',
    heading: 'Receivers that refuse',
    until: /No app has any|rows on/,
  },
  start: { at: ({ app }) => `/a/${app}/sandbox`, heading: 'Start', until: /Abandoned events/ },
  links: { at: ({ app }) => `/a/${app}/sandbox/links`, heading: 'Links', until: /rows on/ },
  attempts: {
    at: ({ app }) => `/a/${app}/sandbox/links/attempts`,
    heading: 'Links',
    until: /rows on/,
  },
  link: {
    at: ({ app, linkId }) => `/a/${app}/sandbox/links/${linkId}`,
    heading: /^Link mk_/,
    until: /What the rows cannot say/,
  },
  events: { at: ({ app }) => `/a/${app}/sandbox/webhooks`, heading: 'Webhooks', until: /rows on/ },
  'event-attempts': {
    at: ({ app, eventId }) => `/a/${app}/sandbox/webhooks/${eventId}`,
    heading: /^link\./,
  },
  'event-request': {
    at: ({ app, eventId }) => `/a/${app}/sandbox/webhooks/${eventId}?tab=request`,
    heading: /^link\./,
    until: /SHA-256/,
  },
  'event-verify': {
    at: ({ app, eventId }) => `/a/${app}/sandbox/webhooks/${eventId}?tab=verify`,
    heading: /^link\./,
    until: /ES256/,
  },
  endpoints: { at: ({ app }) => `/a/${app}/sandbox/webhooks/endpoints`, heading: 'Webhooks' },
  banks: { at: () => '/banks', heading: 'Banks', until: /rows on/ },
  bank: {
    at: ({ app }) => `/banks/sandbox-credentials-bank?app=${app}&env=sandbox`,
    heading: 'Credentials Bank',
    until: /As table/,
  },
  providers: { at: () => '/providers', heading: 'Banks', until: /Adapter/ },
  try: { at: ({ app }) => `/a/${app}/sandbox/try`, heading: 'Sandbox' },
  connect: { at: ({ app }) => `/a/${app}/sandbox/connect`, heading: 'Sandbox' },
  worlds: { at: ({ app }) => `/a/${app}/sandbox/worlds`, heading: 'Sandbox', until: /New world/ },
  scripts: { at: ({ app }) => `/a/${app}/sandbox/scripts`, heading: 'Sandbox' },
  faults: { at: ({ app }) => `/a/${app}/sandbox/faults`, heading: 'Sandbox' },
  keys: { at: ({ app }) => `/a/${app}/sandbox/keys`, heading: 'Keys', until: /client_id/ },
  'system-parts': { at: () => '/system', heading: 'System', until: /Version/ },
  'system-keys': { at: () => '/system?tab=keys', heading: 'System', until: /Signing keys/ },
  'system-record': { at: () => '/system?tab=record', heading: 'System', until: /rows on/ },
  'start in Live': {
    at: ({ app }) => `/a/${app}/live`,
    heading: 'Start',
    until: /Abandoned events/,
  },
  unknown: { at: () => '/nothing/here', heading: 'Nothing here' },
};
