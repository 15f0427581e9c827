// The import rules. scripts/import-rules.test.ts tests each of them.

/** Matches packages at any depth of node_modules. */
const packages = (...names) => `(^|node_modules/)(${names.join('|')})(/|$)`

const PARTS = '^(contract|escrow|server|web|sandbox|e2e|bench|scripts|verification)/'
const notTests = '(?!.*[.]test[.])'

/** Restricts imports from our own folders to `allowed`. Packages are not restricted. */
const onlyOfOurs = (name, from, ...allowed) => rule(name, { path: from }, { path: PARTS, pathNot: allowed })

/** Restricts all imports to `allowed`. */
const only = (name, from, ...allowed) => rule(name, { path: from }, { pathNot: allowed })

/** Only a provider's own folder may import its SDK. */
const onlyIn = (folder, sdk) =>
  rule(`only-its-provider-knows-${sdk}`, { pathNot: `^${folder}` }, { path: packages(sdk) })

/** The server's features. Each may import only those before it, so there are no cycles between them. */
const FEATURES = [
  'ledger',
  'notifications',
  'second-factors',
  'policies',
  'accounts',
  'addresses',
  'audit',
  'blocks',
  'places',
  'requests',
  'saved-searches',
  'people',
  'photos',
  'offers',
  'moderation',
  'reports',
  'scams',
  'messages',
  'payouts',
  'payments',
  'deliveries',
  'goodwill',
  'disputes',
  'sellers',
  'reviews',
  'documents',
  'reconciliation',
  'support',
  'market',
  'lookup',
  'exports',
  'analytics',
  'overview',
  'personal-data',
  'platform',
]
const featuresBefore = FEATURES.map((feature, index) =>
  rule(
    `${feature}-imports-only-features-before-it`,
    { path: `^server/src/features/${feature}/${notTests}` },
    {
      path: '^server/src/features/',
      pathNot: `^server/src/features/(${FEATURES.slice(0, index + 1).join('|')})/`,
    },
  ),
)

function rule(name, from, to) {
  return { name, severity: 'error', from, to }
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    only('escrow-imports-nothing', `^escrow/src/${notTests}`, '^escrow/src/'),
    only(
      'contract-imports-escrow-and-four-packages',
      `^contract/src/${notTests}`,
      '^(contract|escrow)/src/',
      packages('zod', 'ibantools', 'localized-address-format', 'postcode-validator'),
    ),

    only(
      'ui-knows-no-domain',
      `^web/src/ui/${notTests}`,
      '^web/src/ui/',
      packages('react', 'react-dom', 'radix-ui', 'lucide-react', '@types/react', '@types/react-dom'),
    ),
    only('format-is-pure', `^web/src/format/${notTests}`, '^web/src/format/', '^(contract|escrow)/src/'),
    onlyOfOurs(
      'data-knows-no-screen',
      `^web/src/data/${notTests}`,
      '^web/src/data/',
      '^(contract|escrow)/src/',
    ),
    onlyOfOurs(
      'shared-serves-features',
      `^web/src/shared/${notTests}`,
      '^web/src/(shared|data|format|ui)/',
      '^(contract|escrow)/src/',
    ),
    onlyOfOurs(
      'web-features-stand-alone',
      `^web/src/features/([^/]+)/${notTests}`,
      '^web/src/features/$1/',
      '^web/src/(shared|data|format|ui)/',
      '^(contract|escrow)/src/',
    ),
    rule(
      'parts-of-the-desk-stand-alone',
      { path: `^web/src/features/desk/([^/]+)/${notTests}` },
      { path: '^web/src/features/desk/', pathNot: '^web/src/features/desk/($1|shared)/' },
    ),
    onlyOfOurs('web-never-imports-server', '^web/', '^web/', '^(contract|escrow)/src/'),

    onlyOfOurs(
      'routes-are-thin',
      '^server/src/features/([^/]+)/routes[.]ts$',
      '^server/src/features/$1/(?![a-z-]*queries[.])',
      '^server/src/platform/',
      '^server/src/demo/sign-ins[.]ts$',
      '^contract/src/',
    ),
    onlyOfOurs(
      'actions-ask-other-features-for-actions',
      `^server/src/features/([^/]+)/${notTests}(?!routes[.])`,
      '^server/src/features/$1/(?!routes[.])',
      '^server/src/features/[^/]+/(?!routes[.]|[a-z-]*queries[.])',
      '^server/src/(platform|providers)/',
      '^(contract|escrow)/src/',
    ),
    ...featuresBefore,
    rule(
      'every-feature-is-in-the-list',
      { path: '^server/src/features/', pathNot: `^server/src/features/(${FEATURES.join('|')})/` },
      {},
    ),
    onlyOfOurs(
      'platform-knows-no-feature',
      `^server/src/platform/${notTests}`,
      '^server/src/(platform|providers)/',
      '^(contract|escrow)/src/',
    ),
    onlyOfOurs('server-never-imports-web', '^server/', '^server/', '^sandbox/', '^(contract|escrow)/src/'),

    rule(
      'only-tests-use-test-support',
      { path: `^(sandbox|server|web)/src/(?!testing/)${notTests}` },
      { path: '^(sandbox|server|web)/src/testing/' },
    ),

    onlyOfOurs('sandbox-stands-alone', '^sandbox/', '^sandbox/'),
    rule(
      'sandbox-knows-only-types-of-stripe',
      { path: `^sandbox/src/(?!testing/)${notTests}` },
      { path: packages('stripe'), dependencyTypesNot: ['type-only'] },
    ),

    onlyIn('(server/src/providers/stripe|sandbox)/', 'stripe'),
    onlyIn('server/src/providers/google/', 'openid-client'),
    onlyIn('server/src/providers/mail/', 'nodemailer'),
    onlyIn('server/src/(providers/files|testing)/', '@aws-sdk/client-s3'),
    onlyIn('server/src/providers/traces/', '@opentelemetry'),

    rule('no-circles', {}, { circular: true }),
    rule('nothing-unresolvable', {}, { couldNotResolve: true }),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)([.]types|[.]data|dist|node_modules/[.])/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
}
