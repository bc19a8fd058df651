/** Of the native screens; those of the hosted app follow the theme. */
export const colorsOf = (scheme: string | null | undefined) =>
  scheme === 'dark'
    ? { background: '#111417', text: '#f4f6f8' }
    : { background: '#ffffff', text: '#15181c' };
