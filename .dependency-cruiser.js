/** Features in the order of their layers. Each may import only those after it. */
const FEATURES = [
  'home',
  'library',
  'my-recordings',
  'offline',
  'operations',
  'practice',
  'teaching-notes',
  'feedback',
  'line-matching',
  'recordings',
  'melodies',
  'uploads',
  'people',
  'accounts',
  'lyrics',
  'messages',
  'audit',
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Files must not import each other. Merge them, or move what both need into a third file.',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-and-server-stay-apart',
      comment:
        'The browser and the server share only the contract. Put a schema into contract.ts, a constant into limits.ts.',
      severity: 'error',
      from: { path: '^src/(web/|.+/web/|main\\.(web|service-worker)\\.)' },
      to: { path: '^src/(server/|.+/server/|cli/)' },
    },
    {
      name: 'server-knows-no-web',
      comment: 'Server code must not depend on web code. Put what both need into contract.ts or limits.ts.',
      severity: 'error',
      from: { path: '^src/(server/|.+/server/)' },
      to: { path: '^src/(web/|.+/web/)' },
    },
    {
      name: 'layers-name-no-feature',
      comment:
        'server, web and shared are independent of features. Let the feature pass what they need, as an argument.',
      severity: 'error',
      from: { path: '^src/(server|web|shared)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/(features|app|cli|main\\.)' },
    },
    {
      name: 'shared-imports-shared',
      comment: 'Both sides load shared. Pass in what only one of them has.',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { path: '^src/(server|web)/' },
    },
    {
      name: 'app-is-above-features',
      comment: 'app combines features. Pass the part as a prop, or move it down to the feature.',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: '^src/(app|cli|main\\.)' },
    },
    ...FEATURES.slice(1).map((feature, index) => ({
      name: `${feature}-is-below`,
      comment: `A feature imports only those after it in FEATURES (.dependency-cruiser.js). Move what both need down, or let a page in app pass it in.`,
      severity: /** @type {const} */ ('error'),
      from: { path: `^src/features/${feature}/` },
      to: { path: `^src/features/(${FEATURES.slice(0, index + 1).join('|')})/` },
    })),
    {
      name: 'sound-knows-no-react',
      comment:
        'The player and the recorder are tested without a page. Pass in an element and an environment; put components into web/audio-ui or a feature.',
      severity: 'error',
      from: { path: '^src/(web/audio|features/practice/web/engine)/' },
      to: { path: '(node_modules/(@types/)?(react|react-dom|@tanstack|@radix-ui|wouter)/|\\.tsx$)' },
    },
    {
      name: 'features-meet-in-services',
      comment:
        "Use another feature's server code only through its server/service.ts. Only feedback's store may read the recordings' columns.",
      severity: 'error',
      from: { path: '^src/features/(.+)/server/', pathNot: '^src/features/feedback/server/store\\.ts$' },
      to: { path: '^src/features/(?!$1/).+/server/(?!service\\.ts$)' },
    },
    {
      name: 'contract-imports-contracts',
      comment:
        'Browser and server both load contracts, which may import only zod, src/shared, limits and other contracts.',
      severity: 'error',
      from: { path: '^src/features/(?!.*/(server|web)/).+/(contract|limits)\\.ts$' },
      to: {
        pathNot: '(^src/shared/|^src/features/.+/(contract|limits)\\.ts$|node_modules/zod)',
      },
    },
    {
      name: 'contract-loads-on-demand',
      comment:
        'A contract loads zod (25 KB) in the browser. Import its types with `import type`, its schemas with `await import()` for useForm; values that both sides need belong in limits.ts.',
      severity: 'error',
      from: { path: '^src/(web/|.+/web/|main\\.(web|service-worker)\\.)' },
      to: {
        path: '(/contract\\.ts$|/api\\.ts$|^src/shared/(schemas|endpoint)\\.ts$|node_modules/zod/)',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'only-store-speaks-sql',
      comment: "SQL belongs in a feature's store.ts or in src/server. Call the store from the service.",
      severity: 'error',
      from: {
        path: '^src/features/.+/server/',
        pathNot: '(/store\\.ts$|^src/features/operations/(backups|verification)/)',
      },
      to: { path: '(node_modules/drizzle-orm|^src/server/db/schema\\.ts)' },
    },
    {
      name: 'routes-do-not-decide',
      comment: 'Routes translate HTTP. Call the service, not the store or the database.',
      severity: 'error',
      from: { path: '^src/features/.+/server/routes\\.ts$' },
      to: { path: '^src/server/db/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(\\.test\\.tsx?$|^src/testing/|^src/server/db/seed)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.web.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
    },
  },
};
