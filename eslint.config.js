import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// Which folder may import which is .dependency-cruiser.js's to say.
export default defineConfig(
  globalIgnores(['dist', 'data', 'data-demo', 'node_modules', 'test-results', 'playwright-report']),
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.server.json', './tsconfig.web.json', './tsconfig.e2e.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Handlers and stores answer with promises whether or not they wait for one themselves.
      '@typescript-eslint/require-await': 'off',
      // Services and the like are closures: there is no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      eqeqeq: ['error', 'always'],
      'no-console': ['error', { allow: ['debug'] }],
    },
  },
  {
    files: ['**/*.tsx', 'src/**/web/**/*.ts'],
    ...reactHooks.configs.flat.recommended,
  },
  {
    files: ['src/**/web/**', 'src/*.tsx'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '/contract\\.ts$|^zod$|/api\\.ts$|platform/contract/(shapes|endpoint)\\.ts$',
              allowTypeImports: true,
              message:
                'A contract brings zod (20 KB and more) to the browser. Import its types with `import type`; values that both sides need belong into limits.ts.',
            },
          ],
        },
      ],
    },
  },
  {
    // Tests look into answers of any shape, which is what they assert.
    files: ['**/*.test.ts', '**/*.test.tsx', 'src/testing/**', 'e2e/**', 'bench/**', 'proof/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-console': 'off',
    },
  },
  // The compiler knows better than the linter which names a runtime has.
  { rules: { 'no-undef': 'off' } },
  {
    files: ['scripts/**', 'src/main.*.ts', 'src/platform/server/require-node.ts'],
    rules: { 'no-console': 'off' },
  },
);
