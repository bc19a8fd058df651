import { randomUUID } from 'node:crypto';
import { call, CallFailure } from './http-calls.js';

export interface Step {
  kind: string;
  stage?: string;
  displayed_message?: string;
  help_url?: string | null;
  fields?: { name: string }[];
  products?: { product: string }[];
  accounts?: { ref: string }[];
}

interface View {
  seq: number;
  step: Step;
  institution: { name: string } | null;
}

export interface FoundInstitution {
  institution_id: string;
  name: string;
}

export interface Finished {
  exchangeable_token: string;
  institution: { name: string };
  accounts: { name: string; account_type: string; account_mask: string | null }[];
}

const SETTLES_WITHIN_MS = 60_000;

/** The actions of the Connect front end for a user, each as its HTTP call. */
export class ConnectVisit {
  private constructor(
    private readonly connect: string,
    private readonly bearer: string,
    private view: View,
  ) {}

  /** Opens a session. @param connect the address of Connect's API, without a slash at the end */
  static async open(connect: string, linkSessionToken: string): Promise<ConnectVisit> {
    const opened = await call<View & { connect_token: string }>('POST', `${connect}/session/open`, {
      json: {
        link_session_token: linkSessionToken,
        origin: null,
        platform: 'web',
        device: 'desktop',
        locale: 'en',
        sdk: { name: 'demo', version: '1' },
        request_id: randomUUID(),
      },
    });
    return new ConnectVisit(connect, opened.connect_token, opened);
  }

  get step(): Step {
    return this.view.step;
  }

  get seq(): number {
    return this.view.seq;
  }

  get institution(): string | undefined {
    return this.view.institution?.name;
  }

  async search(text: string): Promise<FoundInstitution[]> {
    const { institutions } = await call<{ institutions: FoundInstitution[] }>(
      'GET',
      `${this.connect}/institutions?q=${encodeURIComponent(text)}`,
      { bearer: this.bearer },
    );
    return institutions;
  }

  /** Answers the step, and waits for the next prompt. */
  async answer(
    input: { kind: string } & Record<string, unknown>,
    onWait?: (stage: string) => void,
  ): Promise<void> {
    this.view = await call<View>('POST', `${this.connect}/session/step`, {
      bearer: this.bearer,
      json: { seq: this.view.seq, request_id: randomUUID(), input },
    });
    await this.settle(onWait);
  }

  /**
   * Leaves for the bank's own pages and returns.
   * @param visitBank goes through the pages from the given address, and returns the address of the
   *   app to which they lead
   */
  async goToBank(visitBank: (authorizeUrl: string) => Promise<string>): Promise<void> {
    const { authorize_url: authorizeUrl } = await call<{ authorize_url: string }>(
      'POST',
      `${this.connect}/session/oauth/start`,
      {
        bearer: this.bearer,
        json: { seq: this.view.seq, request_id: randomUUID(), window: 'popup' },
      },
    );
    const url = await visitBank(authorizeUrl);
    this.view = await call<View>('POST', `${this.connect}/session/oauth/return`, {
      bearer: this.bearer,
      json: { request_id: randomUUID(), url },
    });
    await this.settle();
  }

  /** Hands the result to the app. @throws CallFailure when Connect did not end with success */
  async finish(): Promise<Finished> {
    const { kind, displayed_message: message = '' } = this.step;
    if (kind !== 'success')
      throw new CallFailure(`Connect ended in the step "${kind}" ${message}`.trim());
    return call<Finished>('POST', `${this.connect}/session/finish`, {
      bearer: this.bearer,
      json: { request_id: randomUUID() },
    });
  }

  private async settle(onWait?: (stage: string) => void): Promise<void> {
    const deadline = Date.now() + SETTLES_WITHIN_MS;
    while (this.step.kind === 'wait' && Date.now() < deadline) {
      onWait?.(this.step.stage ?? '');
      this.view = await call<View>(
        'GET',
        `${this.connect}/session?after_seq=${this.view.seq}&wait=20`,
        { bearer: this.bearer },
      );
    }
  }
}
