import { PAGE_STYLE } from '../../http/html-page.js';

/** The look of the reference: navigation, text and samples side by side where there is room. */
export const STYLE = `${PAGE_STYLE}
html { scroll-padding-top: 1rem; }
body { max-width: none; margin: 0; padding: 0; }
a { color: LinkText; }
a:focus-visible, summary:focus-visible { outline: 2px solid Highlight; outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: Canvas; padding: .5rem; z-index: 1; }
nav { padding: 1rem 1.25rem; border-bottom: 1px solid var(--line); }
nav h2 { display: inline-block; font-size: .8125rem; margin: .25rem 1rem .25rem 0; }
nav h2 a { color: CanvasText; }
nav ul, .calls { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .125rem 0; font-size: .875rem; text-decoration: none; }
nav ul.calls-of-group { display: none; }
main { padding: 1.5rem 1.25rem 4rem; min-width: 0; }
.group > h2 { margin-top: 4rem; font-size: 1.75rem; }
.operation { border-top: 1px solid var(--line); padding: 1.5rem 0; }
.operation h3 { margin-top: 0; }
.address { margin: 0 0 1rem; }
.method { font-weight: 700; }
.fields { margin: 0; padding: 0; }
.fields > dt { margin-top: .5rem; border-top: 1px solid var(--faint); padding-top: .5rem; }
.fields > dd { margin: 0 0 .5rem; }
.fields .fields { margin: .25rem 0 0 .25rem; padding-left: .75rem; border-left: 2px solid var(--faint); }
.type { color: color-mix(in srgb, CanvasText 75%, Canvas); font-size: .875rem; }
.required { font-size: .75rem; font-weight: 700; }
h4 { margin: 1.25rem 0 .25rem; font-size: 1rem; }
dd p, summary + * { margin-top: .25rem; }
summary { cursor: pointer; }
pre { white-space: pre-wrap; background: var(--sample); margin: .25rem 0 1rem; }
.samples h4:first-child { margin-top: 0; }
:root { --line: color-mix(in srgb, CanvasText 22%, Canvas); --faint: color-mix(in srgb, CanvasText 12%, Canvas); --sample: color-mix(in srgb, CanvasText 6%, Canvas); }
@media (min-width: 56rem) {
  body { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; box-sizing: border-box; overflow-y: auto; border-bottom: 0; border-right: 1px solid var(--line); }
  nav h2 { display: block; margin: 1rem 0 .25rem; }
  nav ul.calls-of-group { display: block; }
  main { padding: 1.5rem 2.5rem 4rem; max-width: 96rem; }
  .calls { display: none; }
}
@media (min-width: 80rem) {
  .operation { display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); column-gap: 2.5rem; }
}
`;
