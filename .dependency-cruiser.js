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
      comment:
        'Two files that need each other are one, or share a third. Move what both need into a file of its own.',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-and-server-stay-apart',
      comment:
        'The browser and the server meet in the contract. Put the shape into contract.ts or the constant into limits.ts.',
      severity: 'error',
      from: { path: '^src/(web/|.+/web/|main\\.(web|service-worker)\\.)' },
      to: { path: '^src/(server/|.+/server/|cli/)' },
    },
    {
      name: 'server-knows-no-web',
      comment: 'The server does not know how it is shown. Put what both need into contract.ts or limits.ts.',
      severity: 'error',
      from: { path: '^src/(server/|.+/server/)' },
      to: { path: '^src/(web/|.+/web/)' },
    },
    {
      name: 'layers-name-no-feature',
      comment:
        'server, web and shared are true of any app. Let the feature pass what they need, as an argument.',
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
        'The player, the recorder and what they are made of are tested without a page. Take an element and an environment; components are in web/audio-ui or a feature.',
      severity: 'error',
      from: { path: '^src/(web/audio|features/practice/web/engine)/' },
      to: { path: '(node_modules/(@types/)?(react|react-dom|@tanstack|@radix-ui|wouter)/|\\.tsx$)' },
    },
    {
      name: 'features-meet-in-services',
      comment:
        "Another feature's rules are its service's. Import its server/service.ts; only feedback reads the recordings' columns.",
      severity: 'error',
      from: { path: '^src/features/(.+)/server/', pathNot: '^src/features/feedback/server/store\\.ts$' },
      to: { path: '^src/features/(?!$1/).+/server/(?!service\\.ts$)' },
    },
    {
      name: 'contract-imports-contracts',
      comment:
        'A contract is read by both sides: it may import zod, the shared shapes, limits and other contracts.',
      severity: 'error',
      from: { path: '^src/features/(?!.*/(server|web)/).+/(contract|limits)\\.ts$' },
      to: {
        pathNot: '(^src/shared/|^src/features/.+/(contract|limits)\\.ts$|node_modules/zod)',
      },
    },
    {
      name: 'contract-loads-on-demand',
      comment:
        'A contract brings zod (25 KB) to the browser. Import its types with `import type`, its schemas with `await import()` for useForm; values that both sides need belong into limits.ts.',
      severity: 'error',
      from: { path: '^src/(web/|.+/web/|main\\.(web|service-worker)\\.)' },
      to: {
        path: '(/contract\\.ts$|/api\\.ts$|^src/shared/(shapes|endpoint)\\.ts$|node_modules/zod/)',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'only-store-speaks-sql',
      comment: 'SQL about a noun is in its store.ts, or in src/server. Call the store from the service.',
      severity: 'error',
      from: {
        path: '^src/features/.+/server/',
        pathNot: '(/store\\.ts$|^src/features/operations/(backups|verification)/)',
      },
      to: { path: '(node_modules/drizzle-orm|^src/server/db/schema\\.ts)' },
    },
    {
      name: 'routes-do-not-decide',
      comment: 'Routes translate HTTP. Ask the service, not the store or the database.',
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
