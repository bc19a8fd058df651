export function phrasesIn(text: string): string[];
