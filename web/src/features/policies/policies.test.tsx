import { routes } from '@sought/contract/paths'
import { getConfig, type Market } from '@sought/contract/platform'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Router } from 'wouter'
import { getQueryKey } from '../../data/calls.ts'
import { createQueryClient } from '../../data/query-client.ts'
import { aConfig, aMarket } from '../../testing/samples.ts'
import { DisputeResolutionScreen } from './dispute-resolution-screen.tsx'
import { PrivacyPolicyScreen } from './privacy-policy-screen.tsx'
import { RefundPolicyScreen } from './refund-policy-screen.tsx'
import { TermsOfServiceScreen } from './terms-of-service-screen.tsx'

/** Renders a screen to markup and to the text that a reader sees. */
function renderPolicy(Screen: ComponentType, market: Partial<Market> = {}) {
  const cache = createQueryClient()
  cache.setQueryData(getQueryKey(getConfig), aConfig({ market: aMarket(market) }))
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <Router ssrPath="/">
        <Screen />
      </Router>
    </QueryClientProvider>,
  )
  const text = markup
    .replace(/<\/?(a|strong|time)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
  return { markup, text }
}

/** The markup below one heading. */
function getSection(Screen: ComponentType, id: string) {
  const { markup } = renderPolicy(Screen)
  const section = markup.split('<h2 ').find((part) => part.startsWith(`id="${id}"`))
  return section ?? expect.unreachable(`missing section ${id}`)
}

function getRowHeadings(section: string) {
  return [...section.matchAll(/<th [^>]*scope="row"[^>]*>([^<]+)/g)].map(([, heading]) => heading)
}

const screens = [
  ['Terms of Service', TermsOfServiceScreen],
  ['Privacy Policy', PrivacyPolicyScreen],
  ['Refund Policy', RefundPolicyScreen],
  ['Dispute Resolution', DisputeResolutionScreen],
] as const

describe.each(screens)('%s', (title, Screen) => {
  const { markup, text } = renderPolicy(Screen)

  test('has one title, its date and a back button', () => {
    expect(markup.match(/<h1/g)).toHaveLength(1)
    expect(markup).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`))
    expect(text).toContain('Last updated November 19, 2026')
    expect(markup).toMatch(/<time [^>]*="2026-11-19"/i)
    expect(markup).toMatch(/<button[^>]*>(?:<svg[\s\S]*?<\/svg>)?\s*Back<\/button>/)
  })

  test('lists its numbered sections in order, each with a unique id', () => {
    const ids = [...markup.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)
    const listed = [...markup.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(ids.length).toBeGreaterThan(8)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...new Set(listed)]).toEqual(ids)
    const numbers = [...markup.matchAll(/<h2[^>]*>(\d+)\. /g)].map(([, number]) => Number(number))
    expect(numbers).toEqual(ids.map((_, index) => index + 1))
  })

  test('gives every table a caption and headings', () => {
    const tables = markup.match(/<table[\s\S]*?<\/table>/g) ?? []
    for (const table of tables) {
      expect(table).toContain('<caption')
      expect(table).toMatch(/<th [^>]*scope="col"/)
      expect(table).toMatch(/<th [^>]*scope="row"/)
    }
  })

  test('refers to the contact form, and does not promise support around the clock', () => {
    expect(markup).toContain('href="/help#contact"')
    expect(text).not.toMatch(/24\/7|around the clock|at any hour|@sought/)
  })

  test('has no missing values', () => {
    expect(text).not.toMatch(/undefined|NaN|\[object/)
  })
})

describe('Terms of Service', () => {
  const { markup, text } = renderPolicy(TermsOfServiceScreen)

  test('links to dispute resolution, refunds and privacy', () => {
    expect(markup).toContain('href="/dispute-resolution"')
    expect(markup).toContain('href="/refund-policy"')
    expect(markup).toContain('href="/privacy-policy"')
  })

  test.each([
    'be at least 18 years old',
    'Offers expire after 7 days',
    'While a payment for it is in escrow it is reserved',
    'Platform fee 3%',
    'Card processing fee 2.9% + $0.30',
    'the highest card fee that a seller may have to pay, 3.4% + $1.50',
    'For a sale at $120.00, the platform fee is $3.60 and the card processing fee $3.78',
    'the seller receives $112.62',
    'The buyer pays exactly the price of the offer and never more',
    'when the buyer confirms delivery, or automatically when the escrow period ends',
    'Under $500 after 7 days',
    '$500 and over after 14 days',
    "Released funds reach the seller's bank in 3-5 business days",
    'until 7 days from delivery confirmation or auto-release',
    'from 1 to 5 stars, with up to 3 tags and a text. You have 14 days for it.',
    'until both are written or the 14 days are over',
    'the person reviewed may reply once in public',
    'You can report a request, a message, a profile, a review or a picture',
    'You can block a person',
    'warns the recipient',
    'You may appeal once against each, with up to 2,000 characters',
    'You can read, finish open deals, receive your money, export your data and appeal',
    'at least 30 days before they apply',
    'the fees that we earned from your sales in the 12 months before',
    'Write to our support team',
  ])('says: %s', (phrase) => expect(text).toContain(phrase))

  test.each([
    ['who-we-are', 'Who we are'],
    ['eligibility', 'Who may use Sought'],
    ['accounts', 'Your account'],
    ['requests', 'Posting requests'],
    ['offers', 'Offers and acceptance'],
    ['prohibited', 'What is not allowed'],
    ['payments-and-escrow', 'Payments and escrow'],
    ['fees', 'Fees and payouts'],
    ['delivery', 'Delivery'],
    ['ratings', 'Ratings and reviews'],
    ['safety', 'Reporting, blocking and scam warnings'],
    ['disputes', 'Disputes and refunds'],
    ['content', 'Your content'],
    ['suspension', 'Moderation, suspension and closing'],
    ['liability', 'Liability'],
    ['law', 'Governing law'],
    ['changes', 'Changes to these terms'],
    ['contact', 'Contact'],
  ])('has a section %s', (id, title) => expect(getSection(TermsOfServiceScreen, id)).toContain(title))
})

describe('Privacy Policy', () => {
  const { markup, text } = renderPolicy(PrivacyPolicyScreen)

  test('links to dispute resolution', () => {
    expect(markup).toContain('href="/dispute-resolution"')
  })

  test.each([
    'Transaction records 7 years',
    'Support communications 3 years after the last message',
    'Marketing data until you object, and at most 2 years of inactivity',
    'Sought is for people of 18 and over',
    'We keep two cookies in your browser',
    'lasts 400 days',
    'the messages between the two parties',
    'lasts 30 days',
    'Card details go directly to the payment provider and never reach us',
    'your bank details, which we store encrypted',
    'evidence files',
    'Technical logs',
    'it sends us what failed and where in our code',
    '14 days after the end of the deal',
    'whom you block',
    'accounts that share a card, a bank account or a device with yours',
    'It contains your reviews, reports, blocks and decisions about you too',
    'Payment provider (Stripe)',
    'Google sign-in (optional)',
    'Access and download.',
    'Correct.',
    'Delete.',
    'Erased:',
    'Kept:',
    '"Deleted user"',
    'shown only to you and to our admins',
    'we answer within one month',
    'write to our support team',
  ])('says: %s', (phrase) => expect(text).toContain(phrase))

  test.each([
    ['who-is-responsible', 'Who is responsible'],
    ['what-we-collect', 'What we collect'],
    ['why', 'Why we use it, and on what legal basis'],
    ['who-sees-what', 'Who sees what'],
    ['processors', 'Our service providers'],
    ['cookies', 'Cookies'],
    ['retention', 'How long we keep it'],
    ['rights', 'Your rights'],
    ['deletion', 'Deleting your account'],
    ['security', 'Security'],
    ['children', 'Children'],
    ['transfers', 'Transfers to other countries'],
    ['changes', 'Changes to this policy'],
    ['contact', 'Contact'],
  ])('has a section %s', (id, title) => expect(getSection(PrivacyPolicyScreen, id)).toContain(title))
})

describe('Refund Policy', () => {
  const { markup, text } = renderPolicy(RefundPolicyScreen)

  test('links home, to the transactions and to dispute resolution', () => {
    expect(markup).toContain('href="/"')
    expect(markup).toContain('href="/payments"')
    expect(markup).toContain('href="/dispute-resolution"')
  })

  test('offers a full refund, a partial refund and a split', () => {
    expect(getRowHeadings(getSection(RefundPolicyScreen, 'types'))).toEqual([
      'Full refund',
      'Partial refund',
      'Split',
    ])
  })

  test.each([
    'Items under $500 7 days',
    'Items of $500 and over 14 days',
    'Credit card 3-5 business days',
    'Bank account 5-7 business days',
    'Digital wallet 1-3 business days',
    'give them 48 hours to answer',
    'We review it within 24 hours, and investigate for 3-5 business days',
    'We decide within 7 business days',
    'decided the same day or within 24 hours',
    'We send the refund in 1-2 business days',
    'at the latest 7 days from delivery confirmation or auto-release',
    'Write to our support team',
  ])('says: %s', (phrase) => expect(text).toContain(phrase))

  test.each([
    ['buyer-protection', 'Buyer protection and escrow'],
    ['eligibility', 'When you can get a refund'],
    ['process', 'Process and timeline'],
    ['types', 'Types of refund'],
    ['special-circumstances', 'Special circumstances'],
    ['non-refundable', 'What is not refunded'],
    ['methods', 'Refund methods'],
    ['avoiding-refunds', 'Avoiding refunds'],
    ['support', 'Support'],
    ['updates', 'Updates to this policy'],
  ])('has a section %s', (id, title) => expect(getSection(RefundPolicyScreen, id)).toContain(title))
})

describe('Dispute Resolution', () => {
  const { markup, text } = renderPolicy(DisputeResolutionScreen)

  test('links home and to the transactions', () => {
    expect(markup).toContain('href="/"')
    expect(markup).toContain('href="/payments"')
  })

  test('has six steps in this order', () => {
    const steps = [...getSection(DisputeResolutionScreen, 'process').matchAll(/<h3[^>]*>([^<]+)<\/h3>/g)]
    expect(steps.map(([, step]) => step)).toEqual([
      'Direct communication',
      'File a dispute',
      'Initial review',
      'Investigation',
      'Resolution decision',
      'Implementation',
    ])
  })

  test('lists the possible outcomes', () => {
    expect(getRowHeadings(getSection(DisputeResolutionScreen, 'outcomes'))).toEqual([
      'Full refund',
      'Partial refund',
      'Release to the seller',
      'Split',
      'More information requested',
    ])
  })

  test('tells both buyers and sellers how to prevent disputes', () => {
    const prevention = getSection(DisputeResolutionScreen, 'prevention')
    expect(prevention).toContain('If you are buying')
    expect(prevention).toContain('If you are selling')
  })

  test.each([
    'give them 48 hours to answer',
    'Within 24 hours we read the case',
    'Over 3-5 business days we compare',
    'We decide within 7 business days',
    'as the decision says in 1-2 business days',
    'Direct communication 48 hours',
    'Filing window 7 days from delivery confirmation or auto-release',
    'Initial review within 24 hours',
    'Investigation 3-5 business days',
    'Resolution decision within 7 business days',
    'Fund processing 1-2 business days',
    'High-value cases ($500 and over) up to 14 days',
    'Multi-party cases up to 10 days',
    'Fraud cases up to 21 days',
    'Clear cases are resolved the same day or within 24 hours',
    'Escrow lasts 7 days from payment, or 14 days for items of $500 and over',
    'up to 5 files of at most 10 MB each',
    'images, PDF, Word documents (.doc, .docx) or plain text (.txt)',
    'for at least 48 hours',
    'within 7 days of the ruling',
    'This takes up to 14 business days',
    'Choose Report Problem or File Dispute next to it',
    'Altered evidence and false claims may lead to account suspension',
  ])('says: %s', (phrase) => expect(text).toContain(phrase))

  test.each([
    ['when-buyers-should-file', 'When buyers should file'],
    ['when-sellers-should-file', 'When sellers should file'],
    ['process', 'The process in six steps'],
    ['timeline', 'Timeline'],
    ['evidence', 'Evidence that helps'],
    ['outcomes', 'Possible outcomes'],
    ['prevention', 'Preventing disputes'],
    ['appeals', 'Appeals'],
    ['how-to-file', 'How to file'],
  ])('has a section %s', (id, title) => expect(getSection(DisputeResolutionScreen, id)).toContain(title))
})

test('the policies show the figures of the market', () => {
  const fees = {
    platformFeeBasisPoints: 450,
    processingFeeBasisPoints: 500,
    processingFeeCents: 25,
    minimumFeeCents: 0,
    feeTiers: [],
  }
  const market = { fees, holdDays: 10, holdDaysHighValue: 21, offerExpiryDays: 3 }
  const terms = renderPolicy(TermsOfServiceScreen, market).text
  for (const figure of ['4.5%', '5% + $0.25', '5% + $1.50', '$5.40', '$6.25', '$108.35'])
    expect(terms).toContain(figure)
  expect(terms).toContain('Offers expire after 3 days')
  expect(terms).toContain('after 21 days')
  expect(renderPolicy(RefundPolicyScreen, market).text).toContain('10 days')
  expect(renderPolicy(DisputeResolutionScreen, market).text).toContain('Escrow lasts 10 days')
})

test('links within the market lead to its screens', () => {
  for (const [, Screen] of screens)
    for (const [, path] of renderPolicy(Screen).markup.matchAll(/href="(\/[^"#?]*)/g))
      expect(Object.values(routes)).toContain(path)
})

test('policies contain no hard-coded figures', () => {
  const sources = import.meta.glob<string>('./texts/*.md', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  expect(Object.keys(sources)).toHaveLength(4)
  for (const source of Object.values(sources))
    expect(source.match(/\b\d[\d,.]* (days|hours|minutes|months|years|tags|characters|files)\b/g)).toBeNull()
})
