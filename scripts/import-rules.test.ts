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
  'web/src/features/payments/checkout.tsx': ["import '../../../../server/src/platform/clock.ts'"],
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
  'server/src/features/offers/routes.ts': [
    "import './actions.ts'",
    "import './queries.ts'",
    "import '../payments/actions.ts'",
  ],
  'server/src/features/offers/actions.ts': [
    "import './queries.ts'",
    "import '../accounts/actions.ts'",
    "import '../payments/actions.ts'",
    "import '../payments/queries.ts'",
    "import 'stripe'",
  ],
  'server/src/features/offers/queries.ts': ["import '../../../../web/src/app/router.tsx'"],
  'server/src/features/payments/actions.ts': [
    "import '../../../../escrow/src/fees.ts'",
    "import 'nodemailer'",
  ],
  'server/src/features/accounts/actions.ts': [
    "import '../../platform/session.ts'",
    "import '@aws-sdk/client-s3'",
    "import '@opentelemetry/api'",
  ],
  'server/src/features/unlisted/actions.ts': ["import '../../platform/session.ts'"],
  'server/src/platform/session.ts': [],
  'server/src/features/payments/queries.ts': ["import 'openid-client'"],
  'server/src/features/payments/payments.test.ts': [
    "import '../../testing/world.ts'",
    "import '../offers/queries.ts'",
  ],
  'server/src/testing/world.ts': ["import '../platform/clock.ts'"],
  'server/src/platform/clock.ts': ["import '../features/payments/queries.ts'"],
  'server/src/main.ts': ["import './testing/world.ts'"],
  'sandbox/src/refunds.ts': ["import type Stripe from 'stripe'", "import '../../escrow/src/fees.ts'"],
  'sandbox/src/charges.ts': ["import './refunds.ts'", "import 'stripe'"],
  'sandbox/src/refunds.test.ts': ["import 'stripe'", "import './refunds.ts'"],
  'server/src/providers/google/google.ts': [
    "import 'openid-client'",
    "import type { Keys } from './keys.ts'",
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

test('every forbidden import is reported, and no allowed one', () => {
  expect(broken.toSorted()).toEqual([
    'actions-ask-other-features-for-actions: server/src/features/offers/actions.ts -> server/src/features/payments/queries.ts',
    'actions-ask-other-features-for-actions: server/src/features/offers/queries.ts -> web/src/app/router.tsx',
    'contract-imports-escrow-and-four-packages: contract/src/offers.ts -> pg',
    'data-knows-no-screen: web/src/data/client.ts -> web/src/format/money.ts',
    'escrow-imports-nothing: escrow/src/fees.ts -> fs',
    'escrow-imports-nothing: escrow/src/fees.ts -> zod',
    'every-feature-is-in-the-list: server/src/features/unlisted/actions.ts -> server/src/platform/session.ts',
    'format-is-pure: web/src/format/money.ts -> react',
    'no-circles: server/src/providers/google/google.ts -> server/src/providers/google/keys.ts',
    'nothing-unresolvable: server/src/providers/google/keys.ts -> ./missing.ts',
    'offers-imports-only-features-before-it: server/src/features/offers/actions.ts -> server/src/features/payments/actions.ts',
    'offers-imports-only-features-before-it: server/src/features/offers/actions.ts -> server/src/features/payments/queries.ts',
    'offers-imports-only-features-before-it: server/src/features/offers/routes.ts -> server/src/features/payments/actions.ts',
    'only-its-provider-knows-@aws-sdk/client-s3: server/src/features/accounts/actions.ts -> @aws-sdk',
    'only-its-provider-knows-@opentelemetry: server/src/features/accounts/actions.ts -> @opentelemetry',
    'only-its-provider-knows-nodemailer: server/src/features/payments/actions.ts -> nodemailer',
    'only-its-provider-knows-openid-client: server/src/features/payments/queries.ts -> openid-client',
    'only-its-provider-knows-stripe: server/src/features/offers/actions.ts -> stripe',
    'only-tests-use-test-support: server/src/main.ts -> server/src/testing/world.ts',
    'parts-of-the-desk-stand-alone: web/src/features/desk/refunds/refunds.tsx -> web/src/features/desk/tickets/tickets.tsx',
    'parts-of-the-desk-stand-alone: web/src/features/desk/shared/page.tsx -> web/src/features/desk/tickets/tickets.tsx',
    'platform-knows-no-feature: server/src/platform/clock.ts -> server/src/features/payments/queries.ts',
    'routes-are-thin: server/src/features/offers/routes.ts -> server/src/features/offers/queries.ts',
    'routes-are-thin: server/src/features/offers/routes.ts -> server/src/features/payments/actions.ts',
    'sandbox-knows-only-types-of-stripe: sandbox/src/charges.ts -> stripe',
    'sandbox-stands-alone: sandbox/src/refunds.ts -> escrow/src/fees.ts',
    'server-never-imports-web: server/src/features/offers/queries.ts -> web/src/app/router.tsx',
    'shared-serves-features: web/src/shared/deals/status.tsx -> web/src/features/offers/offer.tsx',
    'shared-serves-features: web/src/shared/photos/photo.tsx -> web/src/app/router.tsx',
    'ui-knows-no-domain: web/src/ui/button.tsx -> web/src/data/client.ts',
    'ui-knows-no-domain: web/src/ui/button.tsx -> zod',
    'web-features-stand-alone: web/src/features/desk/refunds/refunds.tsx -> web/src/features/offers/offer.tsx',
    'web-features-stand-alone: web/src/features/offers/offer.tsx -> web/src/app/router.tsx',
    'web-features-stand-alone: web/src/features/offers/offer.tsx -> web/src/features/payments/checkout.tsx',
    'web-features-stand-alone: web/src/features/payments/checkout.tsx -> server/src/platform/clock.ts',
    'web-never-imports-server: web/src/features/payments/checkout.tsx -> server/src/platform/clock.ts',
  ])
})
