import type { SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from './search-attributes.js';

/** The search attributes that the namespace must have, by name. */
export const SEARCH_ATTRIBUTE_TYPES: Readonly<Record<string, SearchAttributeType>> =
  Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) => [name, type]));
