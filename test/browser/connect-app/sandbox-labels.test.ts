// cspell:ignore Benutzername Passwort
import { labelIn } from '../../../apps/connect/src/texts/known-labels.js';
import { loadDeferredTexts, loadTexts } from '../../../apps/connect/src/texts/load-texts.js';
import { LOCALES } from '../../../apps/connect/src/texts/locales.js';
import { RemoteObject } from '../../../providers/http/remote-object.js';
import {
  PROMPT_KINDS,
  toStep,
  type PromptKind,
} from '../../../providers/sandbox/login/login-steps.js';
import { FIRST_STEP } from '../../../simulators/sandbox-bank/logins/login-progress.js';
import { showLogin } from '../../../simulators/sandbox-bank/logins/show-login.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { CREDENTIALS } from './support/views.js';

describeInBrowser('The fields of the sandbox bank', (stage) => {
  it.each([
    ['de', 'Benutzername', 'Passwort'],
    ['ar', 'اسم المستخدم', 'كلمة المرور'],
  ])('have labels in the language of the page: %s', async (locale, name, password) => {
    const { frame } = await stage.open(new ScriptedSession(CREDENTIALS), { options: { locale } });
    await frame.getByLabel(name, { exact: true }).waitFor();
    await frame.getByLabel(password, { exact: true }).waitFor();
  });

  it('have devices for a code in the language of the page', async () => {
    const { frame } = await stage.open(
      new ScriptedSession({
        kind: 'choice',
        purpose: 'otp_device',
        max: 1,
        options: labelsOf('DEVICE').map((label, index) => ({ id: `${index}`, label, icon: null })),
      }),
      { options: { locale: 'de' } },
    );
    await frame.getByRole('radio', { name: /^SMS an \u2066•••/ }).waitFor();
    expect(await frame.getByRole('radio').count()).toBe(3);
  });
});

describe('A label beside a control', () => {
  const prompts = PROMPT_KINDS.filter((kind) => labelsOf(kind).length > 0 && kind !== 'PASSWORD');

  it.each(prompts)('of the sandbox bank for %s is in every language of the page', async (kind) => {
    for (const locale of LOCALES) {
      const texts = await loadTexts([locale]);
      await loadDeferredTexts();
      for (const label of labelsOf(kind)) {
        const shown = labelIn(texts, label);
        const isOurs = locale === 'en' || shown !== label;
        expect({ locale, label, isOurs }).toEqual({ locale, label, isOurs: true });
      }
    }
  });

  it('of a bank stays in the words of the bank', async () => {
    const texts = await loadTexts(['de']);
    await loadDeferredTexts();
    for (const label of [
      'Text message to your new phone',
      'Emails',
      'Phone call, then a code',
      'Token',
    ])
      expect(labelIn(texts, label)).toBe(label);
  });
});

/** The labels that the adapter makes of a prompt of the bank. */
function labelsOf(kind: PromptKind): string[] {
  const shown = showLogin(
    { loginId: 'login', progress: { ...FIRST_STEP, stage: kind, channel: 'SMS' } },
    { delayFactor: 1 },
  );
  const step = toStep(new RemoteObject(shown['ask'], 'ask'), kind, 'https://bank.example/help');
  switch (step.kind) {
    case 'form':
      return step.fields.map(({ label }) => label);
    case 'choice':
      return step.options.map(({ label }) => label);
    case 'image':
      return [step.label];
    default:
      return [];
  }
}
