import { lazy } from 'react';
import { loadDeferredTexts } from '../texts/load-texts.js';
import { once } from './once.js';

type Deferred = typeof import('./deferred/deferred-screens.js');

/** The file of the screens that are the first of few sessions, and its texts. */
export const fetchDeferred = once(() =>
  Promise.all([import('./deferred/deferred-screens.js'), loadDeferredTexts()]).then(
    ([screens]) => screens,
  ),
);

/** A screen of that file, or a part of one. */
export function later<Name extends keyof Deferred>(name: Name) {
  return lazy<Deferred[Name]>(() =>
    fetchDeferred().then((screens) => ({ default: screens[name] })),
  );
}
