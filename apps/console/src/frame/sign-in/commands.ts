/** The command that prints a link for signing in, with the rights of a present person if there is one. */
export function signInCommand({
  role,
  app,
  isReadOnly = false,
  label,
}: {
  role: 'operator' | 'app';
  app?: string;
  isReadOnly?: boolean;
  label?: string;
}): string {
  return [
    'npm run -s operator -- console sign-in',
    `--role ${role}`,
    ...(role === 'app' ? [`--app ${app ?? 'APP_ID'}`] : []),
    ...(isReadOnly ? ['--read-only'] : []),
    `--label ${label ?? 'NAME'}`,
  ].join(' ');
}
