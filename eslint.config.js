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
      'no-restricted-syntax': ['error', ...formerTerms()],
    },
  },
  {
    files: ['**/*.tsx', 'src/**/web/**/*.ts'],
    ...reactHooks.configs.flat.recommended,
  },
  {
    files: ['src/**/web/**', 'src/*.tsx'],
    // These run in a browser, but no page takes them along; their answers are parsed by the contracts.
    ignores: ['src/**/*.browser.test.tsx'],
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
    // The build lowers syntax to `build.target` in vite.config.ts, and adds nothing that a browser lacks.
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: [
      'src/*.ts',
      'src/{db,demo,testing}/**',
      'src/**/server/**',
      'src/**/contract.ts',
      'src/platform/contract/{shapes,endpoint}.ts',
      'src/**/*.test.{ts,tsx}',
    ],
    rules: { 'no-restricted-properties': ['error', ...tooNew()] },
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

/** What is missing in some browser of `build.target`, by MDN's tables of compatibility; the compiler refuses still newer ones. */
function tooNew() {
  const statics = {
    AbortSignal: ['any'],
    Promise: ['withResolvers', 'try'],
    Array: ['fromAsync'],
    Object: ['groupBy'],
    Map: ['groupBy'],
    URL: ['canParse', 'parse'],
    Response: ['json'],
    Intl: ['Segmenter', 'DurationFormat'],
  };
  const methods = [
    ...['isWellFormed', 'toWellFormed', 'checkVisibility', 'requestIdleCallback', 'startViewTransition'],
    ...['showPopover', 'hidePopover', 'togglePopover', 'moveBefore', 'transferToFixedLength'],
  ];
  const message =
    'Not in every browser that we build for (build.target in vite.config.ts). Write it in an older way, or look first whether it is there and say so beside a disabled rule.';
  return [
    ...Object.entries(statics).flatMap(([object, names]) =>
      names.map((property) => ({ object, property, message })),
    ),
    ...methods.map((property) => ({ property, message })),
  ];
}

/** Words of our own that stood where the field has a term: see docs/glossary.md. */
function formerTerms() {
  const terms = [
    ['stillSignedIn', 'sessionGuard'],
    ['(what)?goesAlong', 'deletionImpact, or context'],
    ['(use)?leftBehind', 'orphaned (replies), or abandoned (takes)'],
    ['belongings', 'ownedFiles'],
    ['keepWith', 'saveInTransaction'],
    ['behindAnswers', 'backgroundTasks'],
    ['isLeftInPeace', 'isLiveRefetchSuppressed'],
    ['melodyInFull', 'melodyDetail'],
    ['(inbox)?desk(entries)?', 'inbox, inboxEntries'],
    ['replyPlace', 'cardAnchor'],
    ['bringSound', 'uploadAudio'],
    ['keptText', 'draftStorage'],
    ['takeKeeper', 'recordingWriter'],
    ['keptTakes?', 'storedRecording'],
    ['doorkeeper', 'deps, or authorize'],
    ['letIn', 'authorize'],
    ['(is)?underWay', 'isSending, pending, or navigationBlock'],
  ];
  return terms.map(([term, instead]) => ({
    selector: `:matches(Identifier, JSXIdentifier)[name=/^${term}$/i]`,
    message: `Not a term that the field knows: say ${instead}.`,
  }));
}
