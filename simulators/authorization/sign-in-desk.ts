import type Provider from 'oidc-provider';
import { redirectTo, type Reply } from '../http/reply.js';
import type { SimulatorRequest } from '../http/request.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Result = Parameters<Provider['interactionResult']>[2];

/** One request of a browser during a sign-in. */
export class Visit {
  constructor(
    private readonly server: Provider,
    private readonly request: SimulatorRequest,
    private readonly interaction: Interaction,
  ) {}

  /** Of the sign-in in progress; also the last part of the address of its pages. */
  get uid(): string {
    return this.interaction.uid;
  }

  /** The next address of a browser whose decision was stored before; null before the decision. */
  get returnTo(): string | null {
    return this.interaction.result === undefined ? null : this.interaction.returnTo;
  }

  /** A parameter of the authorization request. */
  param(name: string): string {
    return String(this.interaction.params[name]);
  }

  /** The name of the client, and the words of the scopes that it requests. */
  async requested(words: Readonly<Record<string, string>>): Promise<[string, string[]]> {
    const client = await this.server.Client.find(this.param('client_id'));
    const scopes = this.param('scope').split(' ');
    const asked = Object.entries(words).flatMap(([scope, text]) =>
      scopes.includes(scope) ? [text] : [],
    );
    return [client?.clientName ?? 'An app', asked];
  }

  /** Sends the browser back to the client without access. */
  refuse(error: string, description: string): Promise<Reply> {
    return this.#finish({ error, error_description: description });
  }

  /**
   * Sends the browser back to the client with a code.
   * @param onGrant gets the id of the grant before the client can use it
   */
  async allow(accountId: string, onGrant?: (grantId: string) => void): Promise<Reply> {
    const grant = new this.server.Grant({ clientId: this.param('client_id'), accountId });
    grant.addOIDCScope(this.param('scope'));
    const grantId = await grant.save();
    onGrant?.(grantId);
    return this.#finish({ login: { accountId, remember: false }, consent: { grantId } });
  }

  async #finish(result: Result): Promise<Reply> {
    const { incoming, response } = this.request;
    return redirectTo(await this.server.interactionResult(incoming, response, result));
  }
}

export interface SignInDesk {
  /** For a sign-in that cannot continue and cannot safely be sent back. */
  problemPage: Reply;
  /** @param form null to show the first page */
  serve(visit: Visit, form: URLSearchParams | null): Reply | Promise<Reply>;
}

const MAX_FORM_BYTES = 16 * 1024;

/** Shows the pages of a sign-in and takes the forms in them. */
export async function serveSignIn(
  server: Provider,
  request: SimulatorRequest,
  { problemPage, serve }: SignInDesk,
): Promise<Reply> {
  const { incoming, response, method } = request;
  const interaction = await server.interactionDetails(incoming, response).catch(() => null);
  if (interaction === null) return problemPage;
  const visit = new Visit(server, request, interaction);
  if (method !== 'POST') return serve(visit, null);
  request.requireType('application/x-www-form-urlencoded');
  return serve(visit, await request.form(MAX_FORM_BYTES));
}
