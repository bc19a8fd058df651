export const TEXTS = { title: 'Start' } as const;
