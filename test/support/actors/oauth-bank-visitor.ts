/** A visitor of OAuth Bank without JavaScript: cookies, forms and links only. */
export interface OAuthBankVisitor {
  /**
   * Returns the page at an address of the bank, or the address outside the bank that it redirects
   * to.
   */
  open(address: string): Promise<Visit>;
  /** Presses a button of the form on the last opened page. */
  press(decision: 'approve' | 'deny' | 'show_accounts', changes?: FormChanges): Promise<Visit>;
}

export type Visit =
  | { kind: 'page'; status: number; html: string; headers: Headers }
  | { kind: 'left'; address: string };

export interface FormChanges {
  userName?: string;
  /** Names of the accounts to select; by default those already selected. */
  accounts?: readonly string[];
}

const MAX_REDIRECTS = 10;

export function visitOAuthBank(): OAuthBankVisitor {
  const cookies = new Map<string, { value: string; path: string }>();
  let current = { address: '', html: '' };

  async function open(address: string, init: RequestInit = {}): Promise<Visit> {
    const bank = new URL(current.address === '' ? address : current.address).origin;
    let [url, request] = [new URL(address), init];
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
      if (url.origin !== bank) return { kind: 'left', address: url.href };
      const response = await fetch(url, {
        ...request,
        redirect: 'manual',
        headers: { accept: 'text/html', ...request.headers, cookie: cookieFor(url) },
      });
      keepCookies(response);
      const location = response.headers.get('location');
      if (location === null) {
        current = { address: url.href, html: await response.text() };
        return {
          kind: 'page',
          status: response.status,
          html: current.html,
          headers: response.headers,
        };
      }
      [url, request] = [new URL(location, url), {}];
    }
    throw new Error('the bank redirects endlessly');
  }

  function press(decision: string, { userName, accounts }: FormChanges = {}): Promise<Visit> {
    const { address, html } = current;
    const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1];
    if (action === undefined) throw new Error(`the page has no form:\n${html}`);
    const form = new URLSearchParams({ decision });
    form.set('accounts_of', valueOf(html, 'accounts_of'));
    form.set('user_name', userName ?? valueOf(html, 'user_name'));
    for (const { key, name, ticked } of accountsOnPage(html))
      if (accounts?.includes(name) ?? ticked) form.append('account', key);
    return open(new URL(action, address).href, { method: 'POST', body: form });
  }

  function cookieFor({ pathname }: URL): string {
    return [...cookies]
      .filter(
        ([, { path }]) => pathname === path || pathname.startsWith(`${path.replace(/\/$/, '')}/`),
      )
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  function keepCookies(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(/;\s*/);
      const [name = '', value = ''] = pair.split('=');
      const path =
        attributes.find((attribute) => attribute.startsWith('path='))?.slice('path='.length) ?? '/';
      if (value === '') cookies.delete(name);
      else cookies.set(name, { value, path });
    }
  }

  return { open: (address) => open(address), press };
}

/** The accounts that a page offers to share. */
export function accountsOnPage(html: string): { key: string; name: string; ticked: boolean }[] {
  const rows = html.matchAll(
    /<input type="checkbox" name="account" value="([^"]+)"\s*(checked)?\s*\/?>\s*<span class="name">([^<]+)</g,
  );
  return [...rows].map(([, key = '', checked, name = '']) => ({
    key,
    name,
    ticked: checked !== undefined,
  }));
}

/** The value of a text field of a page. */
export function valueOf(html: string, field: string): string {
  return new RegExp(`<input[^>]* name="${field}"[^>]* value="([^"]*)"`).exec(html)?.[1] ?? '';
}

/** Signs in and decides; returns the address that the bank redirects the visitor to. */
export async function decideAtBank(
  authorizeUrl: string,
  { decision = 'approve', ...changes }: FormChanges & { decision?: 'approve' | 'deny' } = {},
): Promise<string> {
  const visitor = visitOAuthBank();
  let page = await visitor.open(authorizeUrl);
  // Accounts of another user are shown before they can be shared.
  for (let presses = 0; presses < 2 && page.kind === 'page'; presses += 1)
    page = await visitor.press(decision, changes);
  if (page.kind !== 'left')
    throw new Error(`the bank kept the visitor on a page (status ${page.status}):\n${page.html}`);
  return page.address;
}
