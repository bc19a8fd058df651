const FIRST_CHARACTER = /^[\p{L}\p{N}]/u;
export const MAX_TAGS = 50;
export const MAX_TAG_LENGTH = 99;

/** A tag has 1 to 99 characters and starts with a letter or digit. Source: link-lifecycle 2.1. */
export function isTag(tag: string): boolean {
  return [...tag].length <= MAX_TAG_LENGTH && FIRST_CHARACTER.test(tag);
}

/** Removes duplicates and keeps the first of each. */
export function distinctTags(tags: readonly string[]): string[] {
  return [...new Set(tags)];
}
