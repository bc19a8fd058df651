import type { Host, HostListener, RequestedExitReason } from '../host/host.js';
import type { BankLogin } from './bank-login.js';
import type { Ending } from './ending.js';
import type { Problem } from './flow-state.js';
import type { FlowStore } from './flow-store.js';
import type { StepInput } from '../../../../packages/connect-protocol/src/step.js';

/** The part of the flow that the SDK's commands need. */
interface CommandedFlow {
  readonly store: Pick<FlowStore, 'get'>;
  problem(): Problem | null;
  answer(input: StepInput): void;
  leave(options: { ask: 'always' | 'whenAccepted' }, reason?: RequestedExitReason): void;
  stay(): void;
}

interface Parts {
  flow: CommandedFlow;
  host: Pick<Host, 'post'>;
  ending: Ending;
  bankLogin: () => BankLogin | null;
  onThemeChange: (theme: unknown, appearance: unknown) => void;
}

/** Requests of the SDK while the app is open. Source: connect 8. */
export function hostCommands({
  flow,
  host,
  ending,
  bankLogin,
  onThemeChange,
}: Parts): HostListener {
  return {
    onTheme: onThemeChange,

    onRequestExit(force, reason) {
      const { phase } = flow.store.get();
      if (phase === 'done' || phase === 'moved') return ending.close();
      if (force) void ending.exit(reason, flow.problem()?.error ?? null);
      else flow.leave({ ask: 'whenAccepted' }, reason);
    },

    onBack() {
      const { view, phase, leaving } = flow.store.get();
      if (leaving !== null) flow.stay();
      else if (phase === 'open' && view?.step.can_go_back === true) flow.answer({ kind: 'back' });
      else flow.leave({ ask: 'always' });
    },

    onOAuthResult(result) {
      if ('cancelled' in result) return bankLogin()?.cancel();
      void bankLogin()
        ?.takeReturn(result.url)
        .then((stateId) => {
          // An SDK that received the address elsewhere needs to know whether it was for this window
          // (connect 7, 8).
          if (stateId !== null) host.post('resume_ack', { oauth_state_id: stateId });
        });
    },
  };
}
