// cspell:ignore Benutzername Passwort
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
});
