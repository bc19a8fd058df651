import type { arrivalTexts } from './arrival.js';
import type { en } from './en.js';
import type { enDeferred } from './deferred/en.js';

/** A text that depends on a count; Intl.PluralRules defines which forms a language has. */
export interface Plural {
  zero?: string;
  one?: string;
  two?: string;
  few?: string;
  many?: string;
  other: string;
}

type English = typeof en & typeof enDeferred & (typeof arrivalTexts)['en'];
export type TextKey = keyof English;

/** Every language has every key: a missing one does not compile. */
export type FirstCatalog = CatalogLike<typeof en>;
export type DeferredCatalog = CatalogLike<typeof enDeferred>;
export type ArrivalCatalog = CatalogLike<(typeof arrivalTexts)['en']>;
type CatalogLike<Form> = { readonly [K in keyof Form]: Form[K] extends string ? string : Plural };

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
type NamesOf<Entry> = Entry extends string
  ? NamesIn<Entry>
  : Entry extends { other: infer Other }
    ? NamesIn<Other> | 'count'
    : never;

/** The placeholders of a text, derived from its English form. */
export type Params<K extends TextKey> = NamesOf<English[K]>;
type Values<K extends TextKey> = { [Name in Params<K>]: Name extends 'count' ? number : string };
export type Args<K extends TextKey> = [Params<K>] extends [never] ? [] : [values: Values<K>];
