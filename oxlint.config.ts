import { defineConfig } from 'oxlint';

// The allowed imports between folders are in .dependency-cruiser.js.
export default defineConfig({
  plugins: ['eslint', 'typescript', 'react'],
  categories: { correctness: 'error' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist', 'data', 'data-demo', 'test-results', 'playwright-report'],
  rules: {
    eqeqeq: 'error',
    'id-denylist': ['error', ...formerTerms()],
    'no-array-constructor': 'error',
    'no-case-declarations': 'error',
    'no-console': ['error', { allow: ['debug'] }],
    'no-empty': 'error',
    'no-fallthrough': 'error',
    'no-prototype-builtins': 'error',
    'no-regex-spaces': 'error',
    'no-unexpected-multiline': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-useless-assignment': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'preserve-caught-error': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/no-namespace': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-enum-comparison': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/restrict-plus-operands': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    // Strings are split into code points on purpose.
    'typescript/no-misused-spread': 'off',
    // Services and similar objects are closures, so there is no `this` to lose.
    'typescript/unbound-method': 'off',
  },
  overrides: [
    {
      files: ['**/*.tsx', 'src/**/web/**/*.ts'],
      rules: { 'react/rules-of-hooks': 'error', 'react/unsupported-syntax': 'error' },
    },
    {
      // Tests read responses of any shape, and assert that shape.
      files: ['**/*.test.ts', '**/*.test.tsx', 'src/testing/**', 'e2e/**', 'bench/**', 'chaos/**'],
      rules: {
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/require-array-sort-compare': 'off',
        'no-console': 'off',
      },
    },
    {
      files: ['scripts/**', 'src/main.*.ts', 'src/server/config/require-node.ts'],
      rules: { 'no-console': 'off' },
    },
  ],
});

/**
 * Returns our own former names for things that have an established term. docs/glossary.md lists the
 * replacements.
 */
function formerTerms() {
  const terms = [
    ...[
      'stillSignedIn',
      'goesAlong',
      'whatGoesAlong',
      'leftBehind',
      'useLeftBehind',
      'belongings',
      'keepWith',
    ],
    ...[
      'behindAnswers',
      'isLeftInPeace',
      'melodyInFull',
      'desk',
      'deskEntries',
      'inboxDesk',
      'inboxDeskEntries',
    ],
    ...['replyPlace', 'bringSound', 'keptText', 'takeKeeper', 'keptTake', 'keptTakes', 'doorkeeper', 'letIn'],
    ...['underWay', 'isUnderWay'],
  ];
  return terms.flatMap((term) => [term, term[0]!.toUpperCase() + term.slice(1)]);
}
