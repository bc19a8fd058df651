import { CallFailure } from '../http-calls.js';

/** The page of a visitor; null as text: an address of the app, which was not opened. */
export interface Page {
  address: string;
  html: string | null;
}

type Method = 'GET' | 'POST';

const MAX_REDIRECTS = 15;
const WITHIN_MS = 30_000;

/** Goes through plain pages like a person with a browser: redirects, cookies, forms. */
export class PageVisitor {
  private readonly cookies = new Map<string, Map<string, string>>();

  /** @param app the address at which the visit ends */
  constructor(private readonly app: string) {}

  open(address: string): Promise<Page> {
    return this.follow('GET', address);
  }

  /** Sends the form of a page: its prefilled values, and `typed`. @throws CallFailure */
  submit({ address, html }: Page, typed: Record<string, string>): Promise<Page> {
    const [, action] = /<form method="post" action="([^"]+)"/.exec(html ?? '') ?? [];
    if (html === null || action === undefined)
      throw new CallFailure(`${new URL(address).pathname} shows no form`);
    const form = new URLSearchParams();
    for (const [input] of html.matchAll(/<input [^<>]*>/g)) {
      const { name, value, type } = attributesOf(input);
      const isSent = type === 'hidden' || / checked/.test(input);
      if (name !== undefined && isSent && !(name in typed)) form.append(name, value ?? 'on');
    }
    for (const [name, value] of Object.entries(typed)) form.append(name, value);
    return this.follow('POST', new URL(action, address).href, form);
  }

  private async follow(method: Method, address: string, body?: URLSearchParams): Promise<Page> {
    let next: { method: Method; address: string; body?: URLSearchParams } = {
      method,
      address,
      ...(body === undefined ? {} : { body }),
    };
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
      if (next.address.startsWith(this.app)) return { address: next.address, html: null };
      const response = await this.request(next);
      const location = response.headers.get('location');
      if (location === null) {
        const html = await response.text();
        if (response.ok) return { address: next.address, html };
        throw new CallFailure(`${new URL(next.address).pathname} returned ${response.status}`);
      }
      next = { method: 'GET', address: new URL(location, next.address).href };
    }
    throw new CallFailure(`${new URL(address).pathname} redirects endlessly`);
  }

  private async request({
    address,
    ...init
  }: {
    address: string;
    method: Method;
    body?: URLSearchParams;
  }): Promise<Response> {
    const { origin } = new URL(address);
    const kept = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, kept);
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { cookie: [...kept].map(([name, value]) => `${name}=${value}`).join('; ') },
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') kept.delete(name);
      else kept.set(name, value);
    }
    return response;
  }
}

function attributesOf(tag: string): Partial<Record<string, string>> {
  return Object.fromEntries(
    [...tag.matchAll(/(?<![\w-])([\w-]+)="([^"]*)"/g)].map(([, name = '', value]) => [name, value]),
  );
}
