import { delivered } from './message-ports.js';

export const BASE_URL = 'https://api.example/connect';
export const ORIGIN = 'https://api.example';
export const TOKEN = 'sandbox_ls_abc-DEF_123';
export const STATE_ID = '3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b';
export const RETURN_URL = `https://app.example/bank-return?oauth_state_id=${STATE_ID}`;

export const INSTITUTION = {
  institution_id: 'sandbox-credentials-bank',
  name: 'Credentials Bank',
  country: 'US',
  domain: 'credentials-bank.example',
  color: '#0a6b4f',
  color_dark: '#41c79a',
  logo_url: null,
};
const SHARED = {
  session_id: 'ses_ZPnZVLG8G6YmpDhYAmMRPo',
  institution: INSTITUTION,
  accounts: [
    {
      account_id: 'acc_t48yvTFLrNFDUrHnWcHjGB',
      account_type: 'depository.checking',
      name: 'Everyday Checking',
      account_mask: '1101',
    },
  ],
};
export const LINK_SUCCESS = {
  mode: 'link',
  exchangeable_token: 'sandbox_xt_1',
  expires_in: 1800,
  ...SHARED,
};
export const RELINK_SUCCESS = { mode: 'relink', ...SHARED };
export const BANK_DOWN = {
  error_id: 'connect_error.institution_down',
  displayed_message: 'The bank does not answer.',
  request_id: 'req_1',
  fault: 'institution',
  link_error: 'institution_error',
};
export const exitOf = (reason: string, error: unknown = null) => ({
  reason,
  error,
  session_id: SHARED.session_id,
  institution: null,
  search_term: null,
});
export const eventOf = (name: string, properties: Record<string, unknown> = {}) => ({
  name,
  properties,
  meta: {
    link_type: 'link',
    timestamp: '2026-03-02T10:15:00.000',
    link_session_id: SHARED.session_id,
  },
});

export interface Said {
  ns: string;
  v: number;
  channel: string;
  type: string;
  payload: Record<string, unknown>;
}

export const envelope = (
  channel: string,
  type: string,
  payload: Record<string, unknown> = {},
): Said => ({ ns: 'connect', v: 1, channel, type, payload });

export const frames = (): HTMLIFrameElement[] => [...document.querySelectorAll('iframe')];

/** A message to the frame's window, and its target origin. */
export interface Posted {
  message: Said;
  targetOrigin: string;
  ports: MessagePort[];
}

/** Plays the hosted app in the frame that the SDK created. */
export class HostedApp {
  readonly heard: Said[] = [];
  readonly posted: Posted[] = [];
  private port: MessagePort | undefined;

  private constructor(readonly frame: HTMLIFrameElement) {
    jest.spyOn(this.window, 'postMessage').mockImplementation(((
      message: Said,
      targetOrigin: string,
      ports: MessagePort[],
    ) => {
      this.posted.push({ message, targetOrigin, ports });
      this.port = ports[0];
      if (this.port !== undefined)
        this.port.onmessage = ({ data }: MessageEvent<Said>) => {
          this.heard.push(data);
        };
    }) as typeof window.postMessage);
  }

  /** The app in the only frame, or in the newest. */
  static inFrame(): HostedApp {
    const frame = frames().at(-1);
    if (frame === undefined) throw new Error('there is no frame');
    return new HostedApp(frame);
  }

  /** The app after the handshake, with the first screen shown. */
  static async ready(mode: 'link' | 'relink' = 'link'): Promise<HostedApp> {
    const app = HostedApp.inFrame();
    app.hello();
    await app.say('ready', { session_id: SHARED.session_id, mode });
    return app;
  }

  get window(): Window {
    if (this.frame.contentWindow === null) throw new Error('the frame is gone');
    return this.frame.contentWindow;
  }

  get channel(): string {
    return new URLSearchParams(new URL(this.frame.src).hash.slice(1)).get('channel') ?? '';
  }

  hello({
    origin = ORIGIN,
    source = this.window as MessageEventSource | null,
    message = envelope(this.channel, 'hello', { app_version: '1' }) as unknown,
  } = {}): void {
    window.dispatchEvent(new MessageEvent('message', { data: message, origin, source }));
  }

  async say(
    type: string,
    payload: Record<string, unknown> = {},
    channel = this.channel,
  ): Promise<void> {
    this.port?.postMessage(envelope(channel, type, payload));
    await delivered();
  }
}
