const NAME = 'console-place-after-sign-in';

/** The page that a person had open when the session ended, kept in this tab until the next sign-in. */
export const placeAfter = {
  keep: (href: string): void => sessionStorage.setItem(NAME, href),
  take: (): string => {
    const href = sessionStorage.getItem(NAME) ?? '/';
    sessionStorage.removeItem(NAME);
    // Only an address of this page.
    return /^\/(?![/\\])/.test(href) ? href : '/';
  },
};
