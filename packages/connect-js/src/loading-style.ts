// In a shadow root, as a sheet of its own: neither the style of the page nor a policy that refuses
// inline styles reaches it. `medium` is the text size that the reader has chosen, whatever the page
// sets at its root; sizes and colors are those of the hosted app, so that nothing moves when it draws.
const RULES = `
.cover {
  all: initial;
  --background: #ffffff; --text: #14181f; --accent: #1f4fd8; --on-accent: #ffffff; --separator: #e7eaee;
  position: absolute; inset: 0; box-sizing: border-box; padding: 16px;
  display: flex; align-items: center; justify-content: center;
  font: 400 medium/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Arabic', Arial, sans-serif;
}
.cover.dark { --background: #14171c; --text: #f2f4f7; --accent: #7fa2ff; --on-accent: #0c1430; --separator: #2a3039; }
.card {
  box-sizing: border-box; width: 26.25em; max-width: 100%; height: 42.5em; max-height: 100%; overflow: auto; padding: 24px;
  display: flex; flex-direction: column; text-align: center; outline: none;
  color: var(--text); background: var(--background); border-radius: 16px;
  box-shadow: 0 24px 64px rgb(10 14 22 / 28%), 0 4px 16px rgb(10 14 22 / 14%);
}
.cover.inline { padding: 0; }
.cover.inline .card { width: 100%; height: 100%; border-radius: 0; box-shadow: none; }
.title { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); }
.text { flex: 1 0 auto; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 16px; padding: 16px 0; }
.text p { margin: 0; overflow-wrap: anywhere; }
.spinner { width: 2em; height: 2em; box-sizing: border-box; border: 3px solid var(--separator); border-block-start-color: var(--accent); border-radius: 50%; animation: turn 900ms linear infinite; }
button {
  all: unset; box-sizing: border-box; flex: none; min-height: 3em; margin-block-start: 8px; padding: 8px 16px;
  border: 1px solid transparent; border-radius: 10px; cursor: pointer; font-weight: 600; text-align: center; color: var(--accent);
}
button.primary { background: var(--accent); color: var(--on-accent); }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@keyframes turn { to { transform: rotate(360deg) } }
@media (max-width: 29.9375em) { .cover { padding: 0 } .card { width: 100%; height: 100%; border-radius: 0; box-shadow: none } }
@media (prefers-reduced-motion: reduce) { .spinner { animation: none } }
@media (forced-colors: active) {
  .card { border: 1px solid CanvasText }
  button, button.primary { border-color: ButtonText; color: ButtonText; background: ButtonFace }
  .spinner { border-color: GrayText; border-block-start-color: Highlight }
}
`;

export function styleLoading(root: ShadowRoot): void {
  // A page without a browser, as in tests of an app, has no such sheets.
  if (!('adoptedStyleSheets' in root)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(RULES);
  root.adoptedStyleSheets = [sheet];
}
