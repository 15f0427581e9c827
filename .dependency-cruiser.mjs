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

/** The rooms of the server's infrastructure. Each may import those before it. */
const ROOMS = ['core', 'database', 'providers', 'files', 'http', 'runtime', 'pages']
/** These rooms may also know the type of all services. */
const ROOMS_WITH_SERVICES = ['http', 'runtime', 'pages']

/**
 * The groups of the server's features, and the features of each group. A feature may import those before it, in its
 * own group and in the groups above, so there are no cycles between features.
 */
const GROUPS = {
  users: [],
  notifications: [],
  identity: ['second-factors', 'policies', 'accounts', 'addresses'],
  board: ['places', 'requests', 'saved-searches', 'profiles'],
  trust: ['blocks', 'scams', 'cases', 'reports', 'scans'],
  deals: ['photos', 'offers', 'messages'],
  money: [
    'ledger',
    'set-aside',
    'debts',
    'payouts',
    'dispute-records',
    'payments',
    'goodwill',
    'documents',
    'disputes',
    'sellers',
    'exports',
    'reconciliation',
  ],
  fulfilment: ['deliveries', 'reviews'],
  desk: ['audit', 'moderation', 'support', 'market', 'lookup', 'analytics', 'overview'],
  privacy: ['personal-data'],
  site: [],
}

const downTo = (list, index) => list.slice(0, index + 1).join('|')

const roomsBefore = ROOMS.map((room, index) =>
  rule(
    `${room}-imports-only-rooms-before-it`,
    { path: `^server/src/${room}/${notTests}` },
    {
      path: '^(server/src|sandbox)/',
      pathNot: [
        `^server/src/(${downTo(ROOMS, index)})/`,
        ...(ROOMS_WITH_SERVICES.includes(room) ? ['^server/src/services[.]ts$'] : []),
        ...(room === 'providers' ? ['^sandbox/'] : []),
      ],
    },
  ),
)

const FEATURES = Object.entries(GROUPS).flatMap(([group, features]) =>
  features.length === 0 ? [group] : features.map((feature) => `${group}/${feature}`),
)
const featuresBefore = FEATURES.map((feature, index) =>
  rule(
    `${feature.replace('/', '-')}-imports-only-features-before-it`,
    { path: `^server/src/features/${feature}/${notTests}` },
    {
      path: '^server/src/features/',
      pathNot: `^server/src/features/(${downTo(FEATURES, index)})/`,
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
      { path: '^web/src/features/desk/', pathNot: '^web/src/features/desk/($1|shared|layout)/' },
    ),
    onlyOfOurs('web-never-imports-server', '^web/', '^web/', '^(contract|escrow)/src/'),

    onlyOfOurs(
      'routes-are-thin',
      `^server/src/features/(${FEATURES.join('|')})/(push-|casework-)?routes[.]ts$`,
      '^server/src/features/$1/(?!.*queries[.])',
      `^server/src/(${ROOMS.join('|')})/`,
      '^server/src/services[.]ts$',
      '^server/src/features/users/',
      '^server/src/demo/sign-ins[.]ts$',
      '^contract/src/',
    ),
    onlyOfOurs(
      'actions-ask-other-features-for-actions',
      `^server/src/features/(${FEATURES.join('|')})/${notTests}(?!routes[.])`,
      '^server/src/features/$1/(?!routes[.])',
      '^server/src/features/(?!.*/(routes[.]|[a-z-]*queries[.]))',
      `^server/src/(${ROOMS.join('|')})/`,
      '^server/src/services[.]ts$',
      '^(contract|escrow)/src/',
    ),
    ...featuresBefore,
    rule(
      'every-feature-is-in-the-list',
      { path: '^server/src/features/', pathNot: `^server/src/features/(${FEATURES.join('|')})/` },
      {},
    ),
    ...roomsBefore,
    onlyOfOurs(
      'markets-are-built-with-calls',
      `^server/src/market-builder/${notTests}`,
      '^server/src/(market-builder|core|database|providers|http)/',
      '^server/src/(app|services)[.]ts$',
      '^(contract|escrow)/src/',
    ),
    rule(
      'only-the-demo-and-tests-build-markets',
      { path: `^server/src/(?!(market-builder|demo|testing)/)${notTests}` },
      { path: '^server/src/market-builder/' },
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
