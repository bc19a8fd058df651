import type { Frame } from 'playwright-core';

/** Lines of the accessibility tree of a story, as an outline of roles, names and states. */
export const OUTLINES: Record<string, readonly string[]> = {
  finder: [
    '- dialog "Choose your bank"',
    '- button "Close"',
    '- main:',
    '- heading "Choose your bank" [level=1]',
    '- combobox "Search by name or website" [expanded]',
    '- listbox "Choose your bank"',
    '- group "Popular banks"',
    '- option "Credentials Bank"',
    '- option "First Prairie Credit Union Slow today"',
    '- button "I can’t find my bank"',
  ],
  credentials: [
    '- dialog "Sign in to your bank"',
    '- button "Back"',
    '- paragraph: Credentials Bank',
    '- textbox "User name"',
    '- button "Show Password"',
    '- textbox "Password"',
    '- link "Forgot your password? (opens in a new window)"',
    '- button "Continue"',
  ],
  questions: [
    '- heading "Answer 2 questions" [level=1]',
    '- blockquote: Please answer as you did when you opened your account.',
    '- textbox "What is your favorite color?"',
    '- link "Help with signing in (opens in a new window)"',
  ],
  options: [
    '- group "Where should the code be sent?"',
    '- radio "Text message to \u2066••• ••42\u2069"',
    '- radio "Email to \u2066u•••@example.com\u2069"',
  ],
  code: ['- textbox "Code": "123"', '- timer: /Valid for \\d+:\\d+/', '- button /New code in/'],
  picture: [
    '- img "Picture from Credentials Bank"',
    '- textbox "Characters in the picture"',
    '- button "Describe the picture"',
  ],
  bank_redirect: [
    '- heading "You’ll sign in at OAuth Bank" [level=1]',
    '- listitem: OAuth Bank opens in a new window.',
    '- button "Continue to OAuth Bank"',
  ],
  'bank_redirect-waiting': [
    '- heading "Finish in your bank’s window" [level=1]',
    '- button "Cancel"',
    '- button "Open it again"',
  ],
  progress: ['- heading "Approve this in the Credentials Bank app" [level=1]', '- button "Cancel"'],
  permissions: [
    '- heading "What Pocket Ledger will see" [level=1]',
    '- switch "Personal details" [checked]',
    '- text: "Personal details name, address, email and phone number at the bank Why: confirm your name"',
    '- button "Allow"',
  ],
  accounts: [
    '- checkbox "Select all"',
    '- checkbox "Everyday Checking Checking ending in 1101 $2,210.52" [checked]',
    '- checkbox "Rewards Card Credit card ending in 3303 $412.37"',
    '- button "Share 2 accounts"',
  ],
  done: [
    '- heading "Connected" [level=1]',
    '- listitem: Everyday Checking Checking ending in 1101',
    '- button "Done"',
  ],
  problem: [
    '- heading "Credentials Bank is having problems right now" [level=1]',
    '- button "Choose another bank"',
    '- button "Try again"',
    '- paragraph: Nothing has been shared.',
  ],
  leave: [
    '- alertdialog "Stop connecting?"',
    '- button "Stop connecting"',
    '- button "Keep going"',
  ],
};

/** The lines that are missing. */
export async function missingFromOutline(frame: Frame, story: string): Promise<string[]> {
  const expected = OUTLINES[story];
  if (expected === undefined) return [];
  const found = await frame.getByRole(story === 'leave' ? 'alertdialog' : 'dialog').ariaSnapshot();
  const lines = found.split('\n').map((line) => line.trim());
  const isThere = (line: string): boolean =>
    line.includes('/')
      ? lines.some((each) =>
          new RegExp(line.slice(line.indexOf('/') + 1, line.lastIndexOf('/'))).test(each),
        )
      : lines.some(
          (each) =>
            each === line ||
            each === `${line}:` ||
            each.startsWith(`${line} `) ||
            each.startsWith(`${line}:`),
        );
  return expected.filter((line) => !isThere(line)).map((line) => `${line} in\n${found}`);
}
