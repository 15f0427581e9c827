import { getStatement } from '@sought/contract/documents'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { answer, neverAnswer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aSellerUser } from '../../testing/samples.ts'

const user = aSellerUser()

const nothing = { amount: 0, refund: 0, platformFee: 0, processingFee: 0, payout: 0, balance: 0 }
const line = {
  ...nothing,
  paymentId: 1,
  transactionNumber: '4F7K-Q2MX-9TB3',
  itemTitle: 'A green lamp',
  buyerName: 'Ada Buyer',
  payoutMethod: null,
}
const sale = { ...nothing, amount: 12_000, platformFee: 360, processingFee: 378, balance: 11_262 }
const payout = { ...nothing, payout: 13_262, balance: -13_262 }

const statement: z.input<typeof getStatement.reply> = {
  month: '2026-10',
  number: 'S-2026-10-000004',
  issuedAt: '2026-11-02T09:00:00.000Z',
  issuer: { name: 'Sought', url: 'https://sought.example' },
  sellerName: 'Bob Tester',
  accounts: [
    {
      currency: 'usd',
      opening: 2_000,
      lines: [
        { ...line, ...sale, id: 1, at: '2026-10-01T00:10:00.000Z', kind: 'sale' },
        {
          ...line,
          ...payout,
          id: 2,
          at: '2026-10-31T23:50:00.000Z',
          kind: 'payout',
          payoutMethod: 'transfer',
        },
      ],
      totals: { ...sale, payout: 13_262, balance: -2_000 },
      closing: 0,
    },
  ],
}

test('a statement shows each change of the amount owed to the seller, and the sums', async () => {
  openScreen('/statements/2026-10', { user, answers: [answer(getStatement, statement)] })
  const sheet = await screen.findByRole('article', { name: 'Statement S-2026-10-000004' })
  expect(sheet).toHaveTextContent('MonthOctober 2026')
  expect(sheet).toHaveTextContent('Issued onNov 2, 2026')
  const [first, second] = within(sheet).getAllByRole('listitem')
  expect(first).toHaveTextContent(
    'Oct 1, 2026SaleA green lamp · Ada Buyer4F7K-Q2MX-9TB3Amount $120.00Platform fee −$3.60Card processing −$3.78$112.62',
  )
  expect(second).toHaveTextContent(
    'Oct 31, 2026Payout by transferA green lamp · Ada Buyer4F7K-Q2MX-9TB3−$132.62',
  )
  for (const text of [
    'Owed to you before$20.00',
    'Amount$120.00',
    'Refunds$0.00',
    'Platform fees−$3.60',
    'Card processing−$3.78',
    'Payouts−$132.62',
    'Owed to you at the end of the month$0.00',
  ]) {
    expect(sheet).toHaveTextContent(text)
  }
  expect(screen.getByRole('link', { name: 'Download CSV' })).toHaveAttribute(
    'href',
    '/api/seller/statements/2026-10/export',
  )
})

test('a payout that was taken back for a chargeback is listed, and nothing is owed for it', async () => {
  const [account] = statement.accounts
  if (!account) throw new Error('the sample has an account')
  const takenBack = { ...line, refund: 11_262, payout: -11_262, id: 3, at: '2026-10-20T09:00:00.000Z' }
  const lines = [{ ...takenBack, kind: 'chargeback' as const }]
  openScreen('/statements/2026-10', {
    user,
    answers: [answer(getStatement, { ...statement, accounts: [{ ...account, lines }] })],
  })
  expect(await screen.findByRole('listitem')).toHaveTextContent(
    'ChargebackA green lamp · Ada Buyer4F7K-Q2MX-9TB3Refund −$112.62Payout taken back $112.62$0.00',
  )
})

test('the statement of the current month is a draft', async () => {
  const draft = { ...statement, number: null, issuedAt: null }
  openScreen('/statements/2026-10', { user, answers: [answer(getStatement, draft)] })
  const sheet = await screen.findByRole('article', { name: 'Statement Draft' })
  expect(sheet).toHaveTextContent('This month is not over')
  expect(sheet).toHaveTextContent('Owed to you now$0.00')
  expect(sheet).not.toHaveTextContent('Issued on')
})

test('each currency has separate sums', async () => {
  const [account] = statement.accounts
  if (!account) throw new Error('the sample has an account')
  const ringgit = { ...account, currency: 'myr' as const, lines: [], closing: 2_000 }
  const two = { ...statement, accounts: [ringgit, account] }
  openScreen('/statements/2026-10', { user, answers: [answer(getStatement, two)] })
  const region = await screen.findByRole('region', { name: 'MYR' })
  expect(region).toHaveTextContent('Nothing changed in this month.')
  expect(region).toHaveTextContent('Owed to you at the end of the monthRM20.00')
  expect(screen.getByRole('region', { name: 'USD' })).toHaveTextContent('$112.62')
})

test.each(['2019-01', '2026-13'])('there is no statement for %s', async (month) => {
  const answers = [
    month === '2019-01' ? refuse(getStatement, 'statement_not_found') : neverAnswer(getStatement),
  ]
  openScreen(`/statements/${month}`, { user, answers })
  expect(await screen.findByRole('heading', { name: 'Statement Not Found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Payments' })).toHaveAttribute('href', '/payments')
})

test('a statement that failed to load can be loaded again', async () => {
  const server = openScreen('/statements/2026-10', { user, answers: [refuse(getStatement, 'too_many')] })
  expect(await screen.findByRole('alert')).toHaveTextContent('The statement could not be loaded')
  server.add(answer(getStatement, statement))
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('article')).toBeVisible()
})
