const FIRST_CHARACTER = /^[\p{L}\p{N}]/u;
export const MAX_TAGS = 50;
export const MAX_TAG_LENGTH = 99;

/** Each tag has 1..99 characters, the first one a letter or digit. Source: link-lifecycle 2.1. */
export function isTag(tag: string): boolean {
  return [...tag].length <= MAX_TAG_LENGTH && FIRST_CHARACTER.test(tag);
}

/** Drops repeats, keeping the first of each. */
export function distinctTags(tags: readonly string[]): string[] {
  return [...new Set(tags)];
}
