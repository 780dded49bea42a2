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
      from: { path: '^src/.+/web/' },
      to: { path: '^src/(.+/server/|db/|server|start|run)' },
    },
    {
      name: 'server-knows-no-web',
      comment: 'The server does not know how it is shown. Put what both need into contract.ts or limits.ts.',
      severity: 'error',
      from: { path: '^src/(.+/server/|db/)' },
      to: { path: '^src/.+/web/' },
    },
    {
      name: 'platform-knows-no-feature',
      comment:
        'The platform is true of any app. Let the feature hand over what the platform needs, as an argument.',
      severity: 'error',
      from: {
        path: '^src/platform/',
        pathNot: '(\\.test\\.tsx?$|^src/platform/web/(layout/|call\\.ts|offline/service-worker\\.ts))',
      },
      to: { path: '^src/(features/|api\\.ts|server\\.ts)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sound-knows-no-react',
      comment:
        'The player, the recorder and what they are made of are tested without a page. Take an element and an environment; components are in audio-ui or a feature.',
      severity: 'error',
      from: { path: '^src/platform/web/(player|audio)/' },
      to: { path: '(node_modules/(@types/)?(react|react-dom|@tanstack|@radix-ui|wouter)/|\\.tsx$)' },
    },
    {
      name: 'features-meet-in-services',
      comment:
        "Another feature's rules are its service's. Import its server/service.ts; only feedback reads the recordings' columns.",
      severity: 'error',
      from: { path: '^src/features/([^/]+)/server/', pathNot: '^src/features/feedback/server/store\\.ts$' },
      to: { path: '^src/features/(?!$1/)[^/]+/server/(?!service\\.ts$)' },
    },
    {
      name: 'contract-imports-contracts',
      comment:
        'A contract is read by both sides: it may import zod, the platform’s contract, limits and other contracts.',
      severity: 'error',
      from: { path: '^src/features/[^/]+/(contract|limits)\\.ts$' },
      to: {
        pathNot: '(^src/platform/contract/|^src/features/[^/]+/(contract|limits)\\.ts$|node_modules/zod)',
      },
    },
    {
      name: 'only-store-speaks-sql',
      comment: 'SQL about a noun is in its store.ts (or the platform). Call the store from the service.',
      severity: 'error',
      from: { path: '^src/features/[^/]+/server/', pathNot: '/store\\.ts$' },
      to: { path: '(node_modules/drizzle-orm|^src/db/schema\\.ts)' },
    },
    {
      name: 'routes-do-not-decide',
      comment: 'Routes translate HTTP. Ask the service, not the store or the database.',
      severity: 'error',
      from: { path: '^src/features/[^/]+/server/routes\\.ts$' },
      to: { path: '^src/db/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(\\.test\\.tsx?$|^src/testing/|^src/db/seed)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.web.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
    },
  },
};
