import { exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';

export interface SignedCall {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An application at the Enable Banking API that signs its own calls, without an adapter. */
export class EnableBankingClient {
  static readonly REDIRECT_URL = 'https://app.example/callback';

  private constructor(
    private readonly url: string,
    readonly id: string,
    private readonly key: CryptoKey,
    private readonly now: () => Date,
  ) {}

  /** Registers an application of its own at a simulator. */
  static async register(url: string, now: () => Date): Promise<EnableBankingClient> {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const response = await fetch(`${url}/simulator/enable-banking/applications`, {
      method: 'POST',
      body: JSON.stringify({
        publicKey: await exportSPKI(publicKey),
        redirectUrls: [EnableBankingClient.REDIRECT_URL],
        environment: 'SANDBOX',
      }),
    });
    const { id } = (await response.json()) as { id: string };
    return new EnableBankingClient(url, id, privateKey, now);
  }

  /** A token in the vendor's documented form, with changes. */
  sign(changes: JWTPayload = {}, kid = this.id): Promise<string> {
    const iat = Math.floor(this.now().getTime() / 1_000);
    const usual = { iss: 'enablebanking.com', aud: 'api.enablebanking.com', iat, exp: iat + 3_600 };
    return new SignJWT({ ...usual, ...changes })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .sign(this.key);
  }

  async call(path: string, { method = 'GET', body, headers = {} }: SignedCall = {}) {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${await this.sign()}`, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  }

  startAuthorization(
    aspsp: { name: string; country: string },
    state: string,
    changes: object = {},
  ) {
    const validUntil = new Date(this.now().getTime() + 30 * 86_400_000).toISOString();
    const usual = { access: { valid_until: validUntil }, aspsp, state, psu_type: 'personal' };
    const body = { ...usual, redirect_url: EnableBankingClient.REDIRECT_URL, ...changes };
    return this.call('/auth', { method: 'POST', body });
  }
}
