import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import readRules from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './child.ts'

/** A small project. In each file, allowed imports come first and forbidden ones last. */
const files: Record<string, string[]> = {
  'escrow/src/moves.ts': [],
  'escrow/src/fees.ts': ["import './moves.ts'", "import 'zod'", "import 'node:fs'"],
  'contract/src/offers.ts': ["import 'zod'", "import '../../escrow/src/fees.ts'", "import 'pg'"],
  'web/src/app/router.tsx': [],
  'web/src/data/client.ts': [
    "import 'react'",
    "import '../../../contract/src/offers.ts'",
    "import '../format/money.ts'",
  ],
  'web/src/format/money.ts': ["import '../../../escrow/src/moves.ts'", "import 'react'"],
  'web/src/ui/button.tsx': ["import 'react'", "import '../data/client.ts'", "import type { z } from 'zod'"],
  'web/src/shared/deals/status.tsx': [
    "import '../../data/client.ts'",
    "import '../../format/money.ts'",
    "import '../../ui/button.tsx'",
    "import '../photos/photo.tsx'",
    "import '../../features/offers/offer.tsx'",
  ],
  'web/src/shared/photos/photo.tsx': ["import 'zod'", "import '../../app/router.tsx'"],
  'web/src/features/payments/checkout.tsx': ["import '../../../../server/src/core/clock.ts'"],
  'web/src/features/offers/offer.tsx': [
    "import '../../ui/button.tsx'",
    "import type { Checkout } from '../payments/checkout.tsx'",
    "const later = import('../../app/router.tsx')",
  ],
  'web/src/features/desk/shared/page.tsx': [
    "import '../../../shared/photos/photo.tsx'",
    "import '../tickets/tickets.tsx'",
  ],
  'web/src/features/desk/tickets/tickets.tsx': [],
  'web/src/features/desk/refunds/refunds.tsx': [
    "import '../shared/page.tsx'",
    "import '../tickets/tickets.tsx'",
    "import '../../offers/offer.tsx'",
  ],
  'server/src/features/deals/offers/routes.ts': [
    "import './actions.ts'",
    "import './queries.ts'",
    "import '../../money/payments/actions.ts'",
  ],
  'server/src/features/deals/offers/actions.ts': [
    "import './queries.ts'",
    "import '../../identity/accounts/actions.ts'",
    "import '../../money/payments/actions.ts'",
    "import '../../money/payments/queries.ts'",
    "import 'stripe'",
  ],
  'server/src/features/deals/offers/queries.ts': ["import '../../../../../web/src/app/router.tsx'"],
  'server/src/features/money/payments/actions.ts': [
    "import '../../../../../escrow/src/fees.ts'",
    "import 'nodemailer'",
  ],
  'server/src/features/identity/accounts/actions.ts': [
    "import '../../../http/session.ts'",
    "import '@aws-sdk/client-s3'",
    "import '@opentelemetry/api'",
  ],
  'server/src/features/board/unlisted/actions.ts': ["import '../../../http/session.ts'"],
  'server/src/features/money/payments/queries.ts': ["import 'openid-client'"],
  'server/src/features/money/payments/payments.test.ts': [
    "import '../../../testing/world.ts'",
    "import '../../deals/offers/queries.ts'",
  ],
  'server/src/core/clock.ts': ["import '../http/session.ts'"],
  'server/src/database/database.ts': ["import '../core/clock.ts'", "import '../files/files.ts'"],
  'server/src/files/files.ts': ["import '../services.ts'"],
  'server/src/http/session.ts': ["import '../services.ts'", "import '../runtime/jobs.ts'"],
  'server/src/runtime/jobs.ts': ["import '../pages/page-head.ts'"],
  'server/src/pages/page-head.ts': ["import '../features/money/payments/queries.ts'"],
  'server/src/services.ts': [],
  'server/src/testing/world.ts': ["import '../core/clock.ts'"],
  'server/src/main.ts': ["import './testing/world.ts'", "import './market-builder/given.ts'"],
  'server/src/market-builder/given.ts': [
    "import '../../../contract/src/offers.ts'",
    "import '../features/deals/offers/actions.ts'",
  ],
  'sandbox/src/refunds.ts': ["import type Stripe from 'stripe'", "import '../../escrow/src/fees.ts'"],
  'sandbox/src/charges.ts': ["import './refunds.ts'", "import 'stripe'"],
  'sandbox/src/refunds.test.ts': ["import 'stripe'", "import './refunds.ts'"],
  'server/src/providers/google/google.ts': [
    "import 'openid-client'",
    "import type { Keys } from './keys.ts'",
    "import '../../files/files.ts'",
  ],
  'server/src/providers/google/keys.ts': ["import './google.ts'", "import './missing.ts'"],
}

const packages = [
  '@aws-sdk/client-s3',
  '@opentelemetry/api',
  'nodemailer',
  'openid-client',
  'pg',
  'react',
  'stripe',
  'zod',
]

let folder: string
let broken: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sought-rules-'))
  for (const name of packages) write(`node_modules/${name}/index.js`, '')
  for (const [path, lines] of Object.entries(files)) write(path, lines.join('\n'))
  const rules = await readRules(join(root, '.dependency-cruiser.mjs'))
  const { output } = await cruise(Object.keys(files), { ...rules, baseDir: folder })
  broken = violationsOf(output)
})

afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function violationsOf(output: ICruiseResult | string): string[] {
  if (typeof output === 'string') throw new Error(output)
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${packageName(to)}`)
}

const packageName = (path: string) => path.replace(/^.*node_modules\/([^/]+).*$/, '$1')

test('every forbidden import is reported, allowed imports are not', () => {
  expect(broken.toSorted()).toEqual([
    'actions-ask-other-features-for-actions: server/src/features/deals/offers/actions.ts -> server/src/features/money/payments/queries.ts',
    'actions-ask-other-features-for-actions: server/src/features/deals/offers/queries.ts -> web/src/app/router.tsx',
    'contract-imports-escrow-and-four-packages: contract/src/offers.ts -> pg',
    'core-imports-only-rooms-before-it: server/src/core/clock.ts -> server/src/http/session.ts',
    'data-knows-no-screen: web/src/data/client.ts -> web/src/format/money.ts',
    'database-imports-only-rooms-before-it: server/src/database/database.ts -> server/src/files/files.ts',
    'deals-offers-imports-only-features-before-it: server/src/features/deals/offers/actions.ts -> server/src/features/money/payments/actions.ts',
    'deals-offers-imports-only-features-before-it: server/src/features/deals/offers/actions.ts -> server/src/features/money/payments/queries.ts',
    'deals-offers-imports-only-features-before-it: server/src/features/deals/offers/routes.ts -> server/src/features/money/payments/actions.ts',
    'escrow-imports-nothing: escrow/src/fees.ts -> fs',
    'escrow-imports-nothing: escrow/src/fees.ts -> zod',
    'every-feature-is-in-the-list: server/src/features/board/unlisted/actions.ts -> server/src/http/session.ts',
    'files-imports-only-rooms-before-it: server/src/files/files.ts -> server/src/services.ts',
    'format-is-pure: web/src/format/money.ts -> react',
    'http-imports-only-rooms-before-it: server/src/http/session.ts -> server/src/runtime/jobs.ts',
    'markets-are-built-with-calls: server/src/market-builder/given.ts -> server/src/features/deals/offers/actions.ts',
    'no-circles: server/src/providers/google/google.ts -> server/src/providers/google/keys.ts',
    'nothing-unresolvable: server/src/providers/google/keys.ts -> ./missing.ts',
    'only-its-provider-knows-@aws-sdk/client-s3: server/src/features/identity/accounts/actions.ts -> @aws-sdk',
    'only-its-provider-knows-@opentelemetry: server/src/features/identity/accounts/actions.ts -> @opentelemetry',
    'only-its-provider-knows-nodemailer: server/src/features/money/payments/actions.ts -> nodemailer',
    'only-its-provider-knows-openid-client: server/src/features/money/payments/queries.ts -> openid-client',
    'only-its-provider-knows-stripe: server/src/features/deals/offers/actions.ts -> stripe',
    'only-tests-use-test-support: server/src/main.ts -> server/src/testing/world.ts',
    'only-the-demo-and-tests-build-markets: server/src/main.ts -> server/src/market-builder/given.ts',
    'pages-imports-only-rooms-before-it: server/src/pages/page-head.ts -> server/src/features/money/payments/queries.ts',
    'parts-of-the-desk-stand-alone: web/src/features/desk/refunds/refunds.tsx -> web/src/features/desk/tickets/tickets.tsx',
    'parts-of-the-desk-stand-alone: web/src/features/desk/shared/page.tsx -> web/src/features/desk/tickets/tickets.tsx',
    'providers-imports-only-rooms-before-it: server/src/providers/google/google.ts -> server/src/files/files.ts',
    'routes-are-thin: server/src/features/deals/offers/routes.ts -> server/src/features/deals/offers/queries.ts',
    'routes-are-thin: server/src/features/deals/offers/routes.ts -> server/src/features/money/payments/actions.ts',
    'runtime-imports-only-rooms-before-it: server/src/runtime/jobs.ts -> server/src/pages/page-head.ts',
    'sandbox-knows-only-types-of-stripe: sandbox/src/charges.ts -> stripe',
    'sandbox-stands-alone: sandbox/src/refunds.ts -> escrow/src/fees.ts',
    'server-never-imports-web: server/src/features/deals/offers/queries.ts -> web/src/app/router.tsx',
    'shared-serves-features: web/src/shared/deals/status.tsx -> web/src/features/offers/offer.tsx',
    'shared-serves-features: web/src/shared/photos/photo.tsx -> web/src/app/router.tsx',
    'ui-knows-no-domain: web/src/ui/button.tsx -> web/src/data/client.ts',
    'ui-knows-no-domain: web/src/ui/button.tsx -> zod',
    'web-features-stand-alone: web/src/features/desk/refunds/refunds.tsx -> web/src/features/offers/offer.tsx',
    'web-features-stand-alone: web/src/features/offers/offer.tsx -> web/src/app/router.tsx',
    'web-features-stand-alone: web/src/features/offers/offer.tsx -> web/src/features/payments/checkout.tsx',
    'web-features-stand-alone: web/src/features/payments/checkout.tsx -> server/src/core/clock.ts',
    'web-never-imports-server: web/src/features/payments/checkout.tsx -> server/src/core/clock.ts',
  ])
})
