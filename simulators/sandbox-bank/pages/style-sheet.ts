/** The looks of OAuth Bank: ink blue, paper, and the serif of its letterhead. */
export const STYLE_SHEET = `
:root { color-scheme: light dark; --ink: #16243f; --paper: #f6f3ec; --sheet: #fffdf8; --blue: #2255aa; --on-blue: #fff; --rule: #8b8577; --soft: #5b5648; --bad: #9c1c1c; }
@media (prefers-color-scheme: dark) { :root { --ink: #eae6db; --paper: #12151c; --sheet: #1a1f29; --blue: #88aaff; --on-blue: #0c1430; --rule: #79808f; --soft: #b6b1a4; --bad: #ff9d94; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.5 Georgia, 'Times New Roman', serif; }
.masthead { border-bottom: 4px double var(--blue); padding: 14px 20px; display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: baseline; justify-content: space-between; }
.brand { margin: 0; font-size: 22px; font-weight: bold; letter-spacing: .01em; }
.seal { display: inline-block; border: 2px solid var(--blue); border-radius: 50%; width: 38px; height: 38px; line-height: 34px; text-align: center; font-size: 15px; color: var(--blue); margin-right: 6px; }
.since, footer { color: var(--soft); font-size: 14px; font-style: italic; margin: 0; }
main { max-width: 620px; margin: 28px auto; padding: 4px 28px 24px; background: var(--sheet); border: 1px solid var(--rule); }
h1 { font-size: 25px; line-height: 1.25; font-weight: normal; margin: 22px 0 12px; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 0; }
.requests { margin: 0 0 20px; padding-left: 22px; }
.notice { border-left: 5px solid var(--bad); padding: 8px 14px; margin: 14px 0; }
.notice ul { margin: 4px 0 0; padding-left: 20px; }
label, legend { font-weight: bold; }
.hint { margin: 0 0 6px; color: var(--soft); font-size: 15px; }
.beside { display: flex; flex-wrap: wrap; gap: 10px; }
input[type=text] { flex: 1 1 220px; min-width: 0; min-height: 46px; padding: 8px 12px; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--rule); border-radius: 0; }
input[aria-invalid] { border: 2px solid var(--bad); }
fieldset { margin: 22px 0; padding: 8px 16px; border: 1px solid var(--rule); min-width: 0; }
.account { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: center; padding: 10px 0; min-height: 48px; font-weight: normal; }
.account + .account { border-top: 1px dotted var(--rule); }
.account .name { flex: 1 1 180px; overflow-wrap: anywhere; }
.mask { color: var(--soft); }
.balance { font-variant-numeric: tabular-nums; }
input[type=checkbox] { width: 22px; height: 22px; margin: 0; accent-color: var(--blue); }
.empty { margin: 22px 0; }
.decisions { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 20px; }
button { min-height: 48px; padding: 10px 26px; font: inherit; color: var(--blue); background: transparent; border: 2px solid var(--blue); border-radius: 0; cursor: pointer; }
button.primary { background: var(--blue); color: var(--on-blue); flex: 1 1 200px; }
button.quiet { min-height: 46px; border-width: 1px; padding: 8px 16px; }
:focus-visible { outline: 3px solid var(--blue); outline-offset: 3px; }
footer { max-width: 620px; margin: 0 auto 28px; padding: 0 20px; text-align: center; }
@media (max-width: 480px) { main { margin: 16px auto; padding: 0 16px 20px; } .decisions button { flex: 1 1 100%; } }
@media (forced-colors: active) { button { border: 2px solid ButtonText; } }
`;
