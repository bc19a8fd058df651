import {
  createConnect,
  type Connect,
  type ConnectError,
  type ConnectEvent,
  type ConnectExit,
  type ConnectInstitution,
  type ConnectSuccess,
} from '@tributary/connect-js';
import { accountType } from './account-types.js';
import type { LinkInstitution, PlaidConfig, PlaidHandler } from './config.js';
import { plaidEvent } from './event-data.js';
import { INVALID_LINK_TOKEN, linkError } from './link-error.js';
import { Progress } from './progress.js';

export interface HandlerOptions {
  connectBaseUrl: string;
  config: PlaidConfig;
  /** Inside this element instead of over the page. */
  container?: Element;
}

// connect 9.2: the form of a token
const TOKEN = /^[A-Za-z0-9_-]{1,256}$/;

/**
 * One handler: its frame and its callbacks. Other handlers on the page are independent. Source:
 * plaid-compat 10.
 */
export function createHandler({ connectBaseUrl, config, container }: HandlerOptions): PlaidHandler {
  let loaded = false;
  let destroyed = false;
  let wanted = false;
  let progress = new Progress();
  let linkSessionId = '';
  let institution: LinkInstitution | null = null;
  let requestId = '';

  const connect: Connect = createConnect({
    connectBaseUrl,
    ...(container === undefined ? {} : { container }),
    sdk: { name: 'plaid-link', version: '1' },
    // Plaid Link is gone when it calls onSuccess.
    closeOnSuccess: true,
    onSuccess: succeed,
    onExit: leave,
    onEvent: follow,
    onError: meet,
    // A load that succeeded after all is not the reason for a later exit.
    onReady: () => progress.loaded(),
  });

  // onLoad fires after create has returned: a page stores the handler first.
  setTimeout(() => {
    if (destroyed) return;
    loaded = true;
    config.onLoad?.();
    if (wanted) start();
  });

  function start(): void {
    const { token, receivedRedirectUri } = config;
    if (typeof token !== 'string' || !TOKEN.test(token)) {
      config.onExit?.(INVALID_LINK_TOKEN, {
        institution: null,
        link_session_id: '',
        request_id: '',
        status: null,
      });
      return;
    }
    if (!connect.isOpen) {
      progress = new Progress();
      institution = null;
    }
    if (typeof receivedRedirectUri === 'string' && receivedRedirectUri !== '')
      connect.continue({ url: receivedRedirectUri, linkSessionToken: token });
    else connect.open({ linkSessionToken: token });
  }

  function meet(error: ConnectError): void {
    progress.error = error;
    requestId = error.request_id ?? requestId;
  }

  function follow(event: ConnectEvent): void {
    progress.follow(event);
    linkSessionId = event.meta.link_session_id ?? linkSessionId;
    if (event.meta.institution_id !== undefined)
      institution = {
        institution_id: event.meta.institution_id,
        name: event.meta.institution_name ?? event.meta.institution_id,
      };
    const error = progress.error === null ? null : linkError(progress.error);
    const reported = plaidEvent(event, {
      error,
      requestId,
      exitStatus: progress.status,
      linkSessionId,
    });
    if (reported !== null) config.onEvent?.(reported.name, reported.metadata);
  }

  function succeed(success: ConnectSuccess): void {
    const publicToken =
      success.public_token ?? (success.mode === 'link' ? success.exchangeable_token : '');
    config.onSuccess?.(publicToken, {
      institution: named(success.institution),
      accounts: success.accounts.map(
        ({ account_id: id, name, account_mask: mask, account_type: ours }) => {
          const [type, subtype] = accountType(ours);
          return { id, name, mask, type, subtype, verification_status: null, class_type: null };
        },
      ),
      link_session_id: success.session_id,
      transfer_status: null,
    });
  }

  function leave(exit: ConnectExit): void {
    const error = exit.error ?? progress.error;
    config.onExit?.(error === null ? null : linkError(error), {
      institution: exit.institution === null ? institution : named(exit.institution),
      link_session_id: exit.session_id ?? linkSessionId,
      request_id: error?.request_id ?? requestId,
      status: progress.status,
    });
  }

  return {
    open() {
      if (destroyed) return;
      wanted = true;
      if (loaded) start();
    },
    exit(options) {
      wanted = false;
      connect.exit({ force: options?.force === true });
    },
    // A page of another product may call it; Connect requests all input itself.
    submit() {},
    destroy() {
      destroyed = true;
      connect.destroy();
    },
  };
}

function named({ name, institution_id }: ConnectInstitution): LinkInstitution {
  return { name, institution_id };
}
