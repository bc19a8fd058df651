import { apiTimestamp } from '../../../../../domain/api/timestamps.js';
import { logoAddress } from '../../../../../domain/institutions/logo-address.js';
import { leavesConnect, presentedLogin } from '../../../../../domain/institutions/route-login.js';
import { PRODUCTS } from '../../../../../domain/link/products.js';
import type { InstitutionRecord } from '../../../../../prisma/sources/institutions/institution.repository.js';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';

/** The current state of a session for Connect. Source: connect 4, View. */
export function presentView(
  session: SessionRecord,
  institution: InstitutionRecord | null,
  baseUrl: string,
) {
  const language = session.options?.language ?? null;
  return {
    session_id: session.sessionId,
    mode: session.mode,
    environment: session.environment,
    expires_at: apiTimestamp(session.expiresAt),
    seq: session.seq,
    app: presentApp(session),
    products: presentProducts(session),
    countries: session.countries,
    features: { connect_manually: session.features['connect_manually'] === true },
    theme: null as unknown,
    redirect_uri: session.redirectUri,
    institution: institution === null ? null : presentInstitution(institution, session, baseUrl),
    step: session.step,
    // plaid-compat 6.1: the token requests the language; native sessions leave it to the page.
    ...(language === null ? {} : { locale: sessionLocale(language) }),
  };
}

export type View = ReturnType<typeof presentView>;

export function presentApp({ app, options }: Pick<SessionRecord, 'app' | 'options'>) {
  return { name: options?.clientName ?? app.name, logo_url: app.logoUrl };
}

/**
 * The same for a window that has just opened the session. Only this response includes the theme,
 * which may be large.
 */
export function presentOpenedView(view: View, { theme }: SessionRecord, connectToken: string) {
  return { ...view, theme: theme ?? null, connect_token: connectToken };
}
export type OpenedView = ReturnType<typeof presentOpenedView>;

/** plaid-compat 6.1, `language`. */
const LANGUAGES: ReadonlySet<string> = new Set([
  'da',
  'nl',
  'en',
  'et',
  'fr',
  'de',
  'hi',
  'it',
  'lv',
  'lt',
  'no',
  'pl',
  'pt',
  'ro',
  'es',
  'sv',
  'vi',
]);

function sessionLocale(language: string): string {
  return LANGUAGES.has(language) ? language : 'en';
}

/** Omits `accounts`, which is always on and has no settings (link-lifecycle 2.2). */
function presentProducts({
  products,
}: SessionRecord): Record<string, { required: boolean; reason: string | null }> {
  return Object.fromEntries(
    PRODUCTS.flatMap((product) => {
      const settings = products[product];
      return settings === undefined || product === 'accounts'
        ? []
        : [[product, { required: settings.required, reason: settings.reason }]];
    }),
  );
}

/**
 * An institution as the search and the View show it to a session. Empty `providers` means any.
 * Source: connect 4.
 */
export function presentInstitution(
  institution: InstitutionRecord,
  { providers, redirectUri }: Pick<SessionRecord, 'providers' | 'redirectUri'>,
  baseUrl: string,
) {
  const served = institution.routes.filter(
    ({ provider }) => providers.length === 0 || providers.includes(provider),
  );
  const staying = served.filter(({ login }) => !leavesConnect(login));
  const routes = redirectUri === null && staying.length > 0 ? staying : served;
  return {
    institution_id: institution.institutionId,
    name: institution.name,
    country: institution.country,
    domain: institution.domain,
    color: institution.color,
    color_dark: institution.colorDark,
    logo_url: logoAddress(baseUrl, institution.logoDigest),
    group: institution.isFeatured ? 'primary' : 'secondary',
    login: routes[0] === undefined ? institution.login : presentedLogin(routes[0].login),
    health: bestHealth(routes.map(({ health }) => health)),
  };
}

const FROM_BEST = ['operational', 'degraded', 'down'] as const;

function bestHealth(found: readonly (typeof FROM_BEST)[number][]): (typeof FROM_BEST)[number] {
  return FROM_BEST.find((health) => found.includes(health)) ?? 'down';
}
