export function releaseNotes(tag: string, from: { version: string; changelog: string }): string;
