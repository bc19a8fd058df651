import base from './base.css?inline';
import conditions from './conditions.css?inline';
import controls from './controls.css?inline';
import frame from './frame.css?inline';
import screens from './screens.css?inline';
import tokens from './tokens.css?inline';

/** The styles are in the script: as a file of their own they would be one more request before the first screen. */
const sheet = new CSSStyleSheet();
sheet.replaceSync([tokens, base, frame, controls, screens, conditions].join('\n'));
document.adoptedStyleSheets = [sheet];
