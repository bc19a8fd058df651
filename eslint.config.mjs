import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist/**', 'node_modules/**', 'prisma/generated/**', 'test-results/**'] },
  // Its types come with Expo, in a folder of its own; test/sdk/phone-apps.long.test.ts compiles it.
  { ignores: ['examples/connect-expo/**'] },
  // The types of React Native come with level `native`, which compiles these files; the flow needs none.
  {
    ignores: [
      'packages/connect-react-native/{test,src/screens,src/web}/**',
      'packages/connect-react-native/src/!(flow-machine).{ts,tsx}',
    ],
  },
  ...tseslint.configs.recommended.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // domain/addresses/parse-url.ts says why.
      'no-restricted-properties': ['error', { object: 'URL', property: 'canParse' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false } },
      ],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
    },
  },
);
