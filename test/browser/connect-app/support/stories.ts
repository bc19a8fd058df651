import type { Frame } from 'playwright-core';
import { CALL_PROBLEMS } from '../../../../apps/connect/src/flow/problem-table.js';
import {
  CONNECT_PROBLEMS,
  makeErrorStep,
  type ConnectProblemId,
} from '../../../../domain/session/connect-problem.js';
import type { StepContent } from '../../../../packages/connect-protocol/src/step.js';
import { STATE_HASH, STATE_ID } from './bank-popup.js';
import { failure, ok, ScriptedSession } from './scripted-session.js';
import {
  ACCOUNTS,
  CONSENT,
  CREDENTIALS,
  CREDENTIALS_BANK,
  inMinutes,
  OAUTH_BANK,
  OTP,
  REDIRECT,
  SETUP_TOKEN,
  USER_NAME,
} from './views.js';

export interface Story {
  session: () => ScriptedSession;
  /** The user's actions until the screen appears. */
  act?: (frame: Frame) => Promise<void>;
}

const oauth = (step: StepContent): ScriptedSession =>
  new ScriptedSession(step, {
    institution: OAUTH_BANK,
    redirect_uri: 'https://app.example/bank-return',
  });
const problem = (
  errorId: string,
  fault: 'user' | 'institution' | 'provider' | 'service',
  actions: readonly string[],
): StepContent =>
  ({
    kind: 'error',
    error_id: errorId,
    displayed_message: 'Said by the service.',
    fault,
    link_error: null,
    actions,
    institution_url: 'https://credentials-bank.example',
  }) as StepContent;
const question = (name: string, label: string) => ({
  ...USER_NAME,
  name,
  label,
  autocomplete: 'off',
  secret: true,
  type: 'text' as const,
});

/** 7A3F, as a bank might draw it. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAALQAAABACAYAAACzzl09AAAOx0lEQVR4AexcCVhV1RZekJnNPofKMoHimYKCIcaQqIEpfZChqGQv/NSUHNBMU7PsgSOfiEpmimaKaIoTDhmFioIDTigQpmVZ2FyAY5ai4Tv/pnPfHc65nHvvuQe8d/Oxz9l77Xnv/+y99lprX9eb/I+PgAONgCvxPz4CDjQCHNAONJm8K0Qc0BwFDjUCHNAONZ28MxzQToMB5+goB7RzzLPT9JID2mmm2jk6ygHtHPPsNL3kgHaaqXaOjnJAO8c8O00vOaCJyGlm2wk6ygHtBJPsTF3kgHam2XaCvnJAO8EkO1MXOaCdabadoK8c0E4wyWp08bvvzlJ5eYUaRdm1jFoArX7dGJTCwmLatGk7paam0bhx71C/fkPoqad6UEHBEfUrvAVLvHjxEn399beEcSor+4Gqqq7XeS/GjfsvBQaGk49PF4qMfIlGjpxIs2cvoMzMzcK8HaWff/6Vbt68WeftVB3QN27cIHzNe/bsp4yMdTRrViq9+up4eu65GPL27kyBwqDExAyliRMT6b33ltHWrZ/S8eOfU2XlOaqoOFfnA2LcALSrY8cw6tmzHw0dOpamTUuhFSvWskk0TmtNGCAoLj5Bn3yyk954I4E6depOfn6hFB7enzBOYWG9ycsrWADQBDpy5Lg1VaiSJy0thRISJlCHDu3Zx5aTs5uWLs2gt9+eSbGxIygkJJK1s0ePvmycpk9PoZUrMwk4AB5uCLhQpSG1FKIaoPfvP8Q61aZNEHXvHs06NXXqHPrww9W0a1c+nT59hq5evWq2OT4+3mbj6yJy7txFdOHCRfrmm+/Y5GCSZsyYS4MGxdO1a9esbhJW4TlzFlLnzhEUHT2IxoyZTJs3f0Lnzl0wKROgz8nZQwMGxLFFwiSBBoQHH2xOAwfGCPW/L8xvV8kasZOcOVPGxik9PZN9/FgEgAfgomvXXkIZo2jKlFnsYwDYJQuygagaoBs1amTTttO0aRNyd3/Uhq6on/Xbb8tow4ZtkgX//fffVFLyhWScEuL58xcpLS2dfv31d5YcgBk9eiht2ZIhAGILvf76cGrQoAGL039gkQBY9Gla+8+e/UGyymnT3qR165YJgB1Ho0a9Qj16dKNWrVqytPgof/zxZzpw4DCtXZvF2JWkpFQWp+bDVa3CLAVjw4a3k6enh676bt2Cdf764klKepeqq6tlm3NcYJVkI2uJaNmyBbm4uLBUgYH+AsuxlsaOHU7t23sxEMTHD6X09IUs3viBXc+YpmVYDtCYT3//DjR48EvC2WgELV6cwj7OkycPUFZWOk2YEC+wJ/3pzjsbEf7c3NRfwFQDdLNmTalhw4Zop87ddttt5O7eip55prPQyQE0deoktmXt3fsxnTxZQNOnT9alDQjw1/nrgwcHst2797GmvPhib/Y2fhQVlRqTFIex+j766CMsfUCAH/3rX42ZX/8RFOQv8NJh+iTmxwEM7WMBtR4Ky/n99wr688+/JFOL/TGOvOOOO8jXtx0NHz6IEhMnsg8WaeTSI85apxqg0YDHH3fHi9q1a0M7d26kU6cKKDc3i5YtSxW2ofH08sv96OmnA+iRR1qw1Sk7exdLj0dISCBe9cbh8IfGdO4cKHyML8Fr4mwFlZtbzXYsBWaxsu7du4hegze2bgOCRgG51RmL2cMPP6SoFWA/kFDsP/xqOVUB3apVzYrTtu0T9Nhj7oQVWq6h6JQIaA8PN3rggWZySTWnb9v2GX3xxZes3smTX2Os0T333M3C+o8LwmGxrOx7fZJFfnGFatz4ftl8Xl5PSMZdvnxFkm5volx/xblXUr/Ixon8tZI8StOoCmhxgpTw0wcPFjJRHRqKrRXv+uCuX79BKSnvs6ZERDxLbdr8m/l9fLzY2/hRWFhiTFIc7tTpSUHCEcl2NLlMIr9pHN+8eVNjkibhs2d/lKzHzQJ+uLq6Rl7t4dFKsixbiKoCumPHDtS7dwR17Rpca5uys3fq0gQFddL569qTkZFJP/30C7m6ugpy4VG65vjIiBSLij7XpbHU06tXOCUnJ5KHsEPJ5S0vr5SMUjLGkhltJH7/vTSgLVlto6MjKSysC7Vs+bCNrTHNriqgIaZJSZlKbdu2Nq1JjwKRFxQJIik4uH4A+vLlP2jBgg9YswYM6KM7vIDgI7NCF9lwMES5tblDhwpNknTr9rRu5zCJtDNBjod2++c8oKR6HA6XLp0nKZZUkt9cGlUBba4i/biCgqN06dJlRsKWbo6HZIk0ekBz+ccfV5hYCTLhf6plL4ijmMfoAYUR8hiRVQnu23eIFi780KAsAGf+/BkGNC0DciyHuyDNkmsHziTbt+8wKwKVy2spvU4Arb86BwmiKUsbbY/0v/zyG1PVouwhQ/5DzZsbHlKh+IHyA/H6DofbY8es56P1y4IfWzoAMGzY6wRtZFVVFchsNQM7t3p1Gt13372MpvWjsvI8YReTqleO5bhy5U+aNGkaTZiQwNg4qbxq0jQHNNiNnJzduj4E1RP+OTn5PYK9wf3338fkpboG6nl8faVV80U28NF6xTNvRMQAQUs4hUQZOCMKD7BxGLvlyz8iUTokkDX9x8cmV+GlS5fo/HlTtf2nn+4ifJSeno/JZVWVrjmg9+49qGM30BNoyfCuS/fVV98QVkW0IT7+FbrrrjvhNXE+sgfDEyZprSXIbd2lpSdZG2EYNXr0m8Khqg8z6rK2HmvyyfHPKCsqaiD5+3cXNJ0hzJBryJAxzHBp+fI1iCa5FZxFqvjQHND67EaHDu3o7rvvUrE71hUlKlHAUsTGxsgWYm6Frq6uls1nSQT44/z8bXT69GEqKtpDODxBKuDiUqMmF8uCPBiGP+ZWTTGtWm85QDdp0pgeeugBVg20iDDkys8vYKalWCwQoUSUi3S2Ok0BDRnvjh17dG2uD6szLL5EScJvv5Uzi8G+fQdTfPybzIAGhkDY/qFocRNkrS4uhsBCZ8Anwn4Zfludp6cHE2dBKQVeGeItiPZmz04wKRoWe5Mna3dAlDsQRkVF0IED2VRauo8ZV82Zk0gjRgymZ5/tpmuzmwVSEF0mKzy2AdrCCvPy9hMmX8xW1+I6rKozZswTm8Pe5eUVwspYSuD9YO8Lu14c0Hr1epm6dHle1oi9sLCY5bfXA6u0lLz68OFjkian9mhHWZm0lZ2oJQSrBuOqPn0imQwfNtRiOxyS5dA/zMDaDpoyscN18V6/fiuV/aO6/uCD+QSjqTVrlggrcwK99locYWICAjoy2xOsmObaWGRneTTqhiIGb30HKQt2GX2avfxyLIc5sMLGA+1xE3Y3vO3tNFuhwW7k5u7V9cfPz9fEOk8XqYEHxvmpqUtYTfiwQkNDGHAB4L59n6cxY+IIWycADqDD0CovbysNGxbL8hg/ilSUdBiXLYbbt28reg3esL4zINghAHHdhQsXJUt2NyODhuoei1eLFg9K5lWbqBmgc3PzDdiNuuaflyzJ0F36fOutsbWOK1Zo2KqEh4dJpi0TtmOp2yaSia0kNmvWxMqctmdD/6RKqTGDlVdh45CbkDBRKqtdaJoBWp/dQE+C6lChUlFRKUgPVqIZ7OAiJ45jCYwe3t5tmJLDiMyCR48Wsbclj+LiE0zuLIoNzeW9dq1GyWKcxtOzxmzXmK5mGPcCpcrDRQXYvUjFgQabEzl7csSr7TQBNO4S7tr1f3YDhweI7NTujNLy3n13Kf3111Vmk41bFErzId3ttzeQtY4rLrbc4B+SCoAZ0hSUb85BFm0cj/YEaaCckpNwaMUbG/dbLqwJoAFm8KxiI8CzYqsSw1q+cU8QV+9RJ1TJ4qUEhJU63L6QSmvNlSzYsqCskpIT7CIu/FIOh7+NGz82icLBtbEZe2qTDFYS5OTd5g6EVlZlUzZNAG3MbtQF/5yVtZ1w6zg8PEZnJIPD1Pr1Www0l0pGU253KS09xdTnSsoQ00CZA3U7wps2mQIW9Kqq65SQMJu+/PJrBHXOU5BZv/POG7qw2p64uHHspjlum+sf6PXrMXcg1E+nld/ugAa7kZd3wKA/wcFPGYS1CEAj6eXVmqCxwgEPdUKhAsWEn18oUyuDpsQ9+WR7yWTYhaCAkYw0Q4SdBqLx4zs5OXvYD8zAgg9GT4sXr6DQ0Cj66KONSKJzMNXduHEFswzUEVX0QCqFVblUULnj90DAGkkVDxuY2NiRlJqaRgUFR2r9qQqpMtSkuapZmFRZmCBMtBgH7Ze3t/S1IjGNPd49e4ayW8g7dtTcdcR70aI5TAHwwgvPUW1iJfRh5sz5QvoESkxMlm3i8eOW89GtWz/OyqusPMd+UAY/MOPr25X693+F3Z6BJSAS4PCFWzSbN69kfbn33ntAtosDb/7ZZ+vpxIn9dOTIDtq0KZ0gsRg/fqTQrijCogSpDwy6AGSY3gLYOJ/YpUEKC7U7oKHTx4oGTdekSWME6cI8dhhT2D67JMMKDd65Z89nmIp27txpBL7eXGW47bxzZ56g2s0m4x1HP9+KFWuYDYO+RlQ/XsofGNiR3cE0vrcIwEKqgrGbNWuKsAJm04IFSWSJVEaqPktpMJ0FmwXFzsiRQygpaQqtWrVIGIet7CJ0niCfX7VqMc2c+TaFh4daWryq6e0O6HnzphO2xuTkRIqLG1grcFTtnYqFYTXCxJ06dVBQi6+jRYuSCRKS6OhI8vPzIfFghutb+HmszMwsxbVj98At+ZKSfDpzplDniovzBFZoNbumFRMTZWKjrbgCOybE4oCxgRkDxHNyB2Y7NsGgaLsD2qA2BwhgKwaLABDiKhE+1A0bltOxY7kE67h165axFSwkJMgBenvrdYEDWsU5w/kAV7X6948igF7FonlRCkeAA1rhQPFkt8YIcEDfGvPEW6lwBDigFQ4UT3ZrjIBdAX1rDAFvpSONAAe0I80m7wtxQHMQONQIcEA71HTyznBAcww41AhwQDvUdNZZZ+pNxRzQ9WYqeEPUGAEOaDVGkZdRb0aAA7reTAVviBojwAGtxijyMurNCHBA15up4A1RYwQ4oNUYRXNl8DhNR4ADWtPh5pXZewT+BwAA//8dYb1bAAAABklEQVQDAGcYqxqyN8pEAAAAAElFTkSuQmCC';

/** Every screen of connect.md 3, some in more than one state. */
export const STORIES: Record<string, Story> = {
  finder: {
    session: () =>
      new ScriptedSession({ kind: 'select_institution' }, { features: { connect_manually: true } }),
  },
  'finder-results': {
    session: () => new ScriptedSession({ kind: 'select_institution' }),
    act: async (frame) => {
      await frame.getByRole('combobox').fill('ban');
      await frame.getByRole('option').filter({ hasText: 'Juniper' }).locator('b').waitFor();
    },
  },
  'finder-empty': {
    session: () =>
      new ScriptedSession({ kind: 'select_institution' }, { features: { connect_manually: true } }),
    act: async (frame) => {
      await frame.getByRole('combobox').fill('qwe');
      await frame.locator('.empty').waitFor();
    },
  },
  'finder-empty-without-a-way-around': {
    session: () => new ScriptedSession({ kind: 'select_institution' }),
    act: async (frame) => {
      await frame.getByRole('combobox').fill('qwe');
      await frame.locator('.empty').waitFor();
    },
  },
  'finder-down': {
    session: () => new ScriptedSession({ kind: 'select_institution' }),
    act: async (frame) => {
      await frame.getByRole('option', { name: /Quarry Street/ }).click();
      await frame.getByRole('heading', { name: /Quarry Street/ }).waitFor();
    },
  },
  credentials: { session: () => new ScriptedSession(CREDENTIALS, { base: { can_go_back: true } }) },
  'credentials-refused': {
    session: () =>
      new ScriptedSession(CREDENTIALS, {
        base: {
          can_go_back: true,
          error: { code: 'invalid_credentials', text: 'Not accepted.' },
          attempts_left: 2,
        },
      }),
  },
  'credentials-through-another-route': {
    session: () =>
      new ScriptedSession(CREDENTIALS, {
        base: { error: { code: 'other_route', text: 'Said by the service.' } },
      }),
  },
  'credentials-sandbox-users': {
    session: () => new ScriptedSession(CREDENTIALS),
    act: (frame) => frame.locator('.sandbox .band-button').click(),
  },
  'setup-token': { session: () => new ScriptedSession(SETUP_TOKEN) },
  'setup-token-refused': {
    session: () =>
      new ScriptedSession(SETUP_TOKEN, {
        base: { error: { code: 'setup_token_refused', text: 'Not accepted.' }, attempts_left: 2 },
      }),
  },
  questions: {
    session: () =>
      new ScriptedSession(
        {
          kind: 'form',
          purpose: 'questions',
          fields: [
            question('q1', 'What is your favorite color?'),
            question('q2', 'What was the name of your first pet?'),
          ],
          help_url: 'https://credentials-bank.example/help',
          reset_url: null,
        },
        { base: { message: 'Please answer as you did when you opened your account.' } },
      ),
  },
  options: {
    session: () =>
      new ScriptedSession({
        kind: 'choice',
        purpose: 'otp_device',
        max: 1,
        options: [
          { id: 's', label: 'Text message ••• ••42', icon: 'sms' },
          { id: 'e', label: 'Email u•••@example.com', icon: 'email' },
          { id: 'p', label: 'Phone call ••• ••42', icon: 'phone' },
        ],
      }),
  },
  'options-already-connected': {
    session: () =>
      new ScriptedSession(
        {
          kind: 'choice',
          purpose: 'option',
          max: 1,
          options: [
            { id: 'connect.extend_existing', label: 'Said by the service.', icon: null },
            { id: 'connect.link_anew', label: 'Said by the service.', icon: null },
          ],
        },
        { base: { can_go_back: true } },
      ),
  },
  code: {
    session: () =>
      new ScriptedSession(OTP, { base: { expires_at: inMinutes(10), can_go_back: true } }),
    act: (frame) => frame.locator('input[name=code]').fill('123'),
  },
  'code-refused': {
    session: () =>
      new ScriptedSession({ ...OTP, resend_after_seconds: 0 } as StepContent, {
        base: { error: { code: 'invalid_code', text: 'Wrong.' }, attempts_left: 1 },
      }),
  },
  'code-soon-void': {
    session: () => new ScriptedSession(OTP, { base: { expires_at: inMinutes(1.5) } }),
    act: (frame) => frame.locator('.band-warning').waitFor(),
  },
  picture: {
    session: () =>
      new ScriptedSession({
        kind: 'image',
        image: PICTURE,
        label: 'Characters in the picture',
        description: 'Four characters: seven, capital A, three, capital F',
      }),
  },
  bank_redirect: { session: () => oauth(REDIRECT) },
  'bank_redirect-waiting': { session: () => oauth({ kind: 'redirect', started: true }) },
  'bank_redirect-return': {
    session: () => {
      const session = oauth(REDIRECT);
      session.on('POST /session/oauth/start', () =>
        ok({
          authorize_url: 'https://oauth-bank.example/authorize',
          state_hash: STATE_HASH,
          expires_at: session.view.expires_at,
          view: session.show({ kind: 'redirect', started: true }),
        }),
      );
      session.hold('POST /session/oauth/return');
      return session;
    },
    act: async (frame) => {
      // The page goes to the bank in place of a window, and the app page of the tests stays.
      await frame.evaluate(() => {
        window.open = () => null;
      });
      await frame.locator('.primary').click();
      await frame.locator('.at-bank .secondary .text-button').waitFor();
      await frame.page().evaluate((stateId) => {
        (window as unknown as { say: (type: string, payload: object) => void }).say(
          'oauth_result',
          { url: `https://app.example/bank-return?oauth_state_id=${stateId}` },
        );
      }, STATE_ID);
      await frame.locator('.app-and-bank .spinner').waitFor();
    },
  },
  progress: {
    session: () =>
      new ScriptedSession({ kind: 'wait', stage: 'waiting_for_approval', can_cancel: true }),
    act: (frame) => frame.locator('.progress-line.is-shown').waitFor({ state: 'attached' }),
  },
  'progress-with-the-words-of-a-bank': {
    session: () =>
      new ScriptedSession(
        { kind: 'wait', stage: 'connecting', can_cancel: false },
        { base: { message: 'Please keep your phone at hand.' } },
      ),
  },
  permissions: { session: () => new ScriptedSession(CONSENT) },
  accounts: { session: () => new ScriptedSession(ACCOUNTS, { base: { can_go_back: true } }) },
  'accounts-unreadable': {
    session: () =>
      new ScriptedSession({
        ...ACCOUNTS,
        missing: [
          { ref: 'm', name: 'Holiday Fund', selected: true },
          { ref: null, name: 'Old Savings', selected: false },
        ],
      } as StepContent),
  },
  'accounts-one': { session: () => new ScriptedSession({ ...ACCOUNTS, max: 1 } as StepContent) },
  done: {
    session: () => new ScriptedSession({ kind: 'success' }),
    act: (frame) => frame.locator('.check-mark').waitFor(),
  },
  problem: {
    session: () =>
      new ScriptedSession(
        problem('connect_error.institution_down', 'institution', [
          'retry',
          'choose_another',
          'exit',
        ]),
      ),
    act: (frame) => frame.locator('details summary').click(),
  },
  moved: {
    session: () => {
      const session = new ScriptedSession({ kind: 'wait', stage: 'connecting', can_cancel: false });
      session.on('GET /session', () => failure(409, 'connect_error.session_moved'));
      return session;
    },
    act: (frame) => frame.locator('.moved h1').waitFor(),
  },
  leave: {
    session: () => new ScriptedSession(ACCOUNTS),
    act: async (frame) => {
      await frame.locator('h1').waitFor();
      await frame.locator('.header-button').last().click();
      await frame.getByRole('alertdialog').waitFor();
    },
  },
  'ends-soon': {
    session: () =>
      new ScriptedSession(CREDENTIALS, {
        expires_at: inMinutes(1.8),
        institution: CREDENTIALS_BANK,
      }),
    act: (frame) => frame.locator('.band-warning').waitFor(),
  },
};

/** Each failed call that ends in a screen of its own. */
const CALL_PROBLEM_STORIES: Record<string, Story> = Object.fromEntries(
  Object.keys(CALL_PROBLEMS).map((name) => [
    `problem-of-a-call-${name}`,
    {
      session: () => {
        const session = new ScriptedSession(CREDENTIALS);
        session.on('POST /session/open', () => failure(403, `connect_error.${name}`));
        return session;
      },
      act: async (frame: Frame) => {
        await frame.locator('.sign svg').waitFor();
        await frame.locator('details').waitFor();
      },
    },
  ]),
);

/** Each error step that the service can send, as it sends it. */
const PROBLEM_STORIES: Record<string, Story> = Object.fromEntries(
  Object.keys(CONNECT_PROBLEMS).map((id) => [
    `problem-${id.replace('connect_error.', '')}`,
    {
      session: () =>
        new ScriptedSession(
          makeErrorStep(id as ConnectProblemId, {
            mayChooseAnother: true,
            institutionUrl: 'https://credentials-bank.example',
          }),
        ),
    },
  ]),
);
Object.assign(STORIES, PROBLEM_STORIES, CALL_PROBLEM_STORIES);

/** The heading proves that the screen itself is visible, not only its frame. */
export async function arrive(frame: Frame, { act }: Story): Promise<void> {
  await frame.locator('h1:not(.visually-hidden)').waitFor();
  await act?.(frame);
  await frame.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations === 1)
        .map((animation) => animation.finished.catch(() => undefined)),
    );
  });
}
