import { getReceipt } from '@sought/contract/documents'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type * as z from 'zod/mini'
import { answer, neverAnswer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/samples.ts'

const user = aUser()

const receipt: z.input<typeof getReceipt.reply> = {
  number: 'R-2026-000123',
  issuedAt: '2026-11-17T09:00:00.000Z',
  issuer: { name: 'Sought', url: 'https://sought.example' },
  paymentId: 1,
  transactionNumber: '4F7K-Q2MX-9TB3',
  itemTitle: 'A green lamp',
  itemDescription: 'With a brass foot.',
  buyerName: 'Ada Buyer',
  sellerName: 'Bob Tester',
  currency: 'myr',
  status: 'held_in_escrow',
  paidAt: '2026-11-16T23:30:00.000Z',
  price: 12_000,
  returns: [],
  returned: 0,
  total: 12_000,
  release: null,
}

test('a receipt shows number, parties and price in the currency of the payment', async () => {
  openScreen('/payments/1/receipt', { user, answers: [answer(getReceipt, receipt)] })
  const sheet = await screen.findByRole('article', { name: 'Receipt R-2026-000123' })
  for (const text of [
    'Sought · https://sought.example',
    'ItemA green lamp',
    'BuyerAda Buyer',
    'SellerBob Tester',
    'StatusHeld in escrow',
    'Paid onNov 16, 2026',
    'Issued onNov 17, 2026',
    'PriceRM120.00',
    'Total paidRM120.00',
  ]) {
    expect(sheet).toHaveTextContent(text)
  }
  expect(screen.queryByRole('region', { name: 'Where the money went' })).not.toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Download CSV' })).toHaveAttribute(
    'href',
    '/api/payments/1/receipt/export',
  )
})

test('a receipt lists the returned amounts, and how the rest was divided', async () => {
  const returns = [
    { id: 1, at: '2026-11-18T09:00:00.000Z', kind: 'refund' as const, amount: 3_000 },
    { id: 2, at: '2026-11-19T09:00:00.000Z', kind: 'refund_failed' as const, amount: -3_000 },
    { id: 3, at: '2026-11-20T09:00:00.000Z', kind: 'refund' as const, amount: 3_000 },
  ]
  const release = {
    at: '2026-11-18T08:00:00.000Z',
    platformFee: 270,
    processingFee: 291,
    toSeller: 8_439,
  }
  const divided = { ...receipt, currency: 'usd' as const, returns, returned: 3_000, total: 9_000, release }
  openScreen('/payments/1/receipt', { user, answers: [answer(getReceipt, divided)] })
  const amounts = await screen.findByRole('region', { name: 'Amount' })
  expect(amounts).toHaveTextContent('RefundNov 18, 2026−$30.00')
  expect(amounts).toHaveTextContent('Refund failedNov 19, 2026$30.00')
  expect(amounts).toHaveTextContent('RefundNov 20, 2026−$30.00')
  expect(amounts).toHaveTextContent('Total paid$90.00')
  const division = within(screen.getByRole('region', { name: 'Where the money went' }))
  expect(division.getByText('$84.39')).toBeVisible()
  expect(division.getByText('$2.70')).toBeVisible()
  expect(division.getByText('$2.91')).toBeVisible()
})

test('a receipt can be printed', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  openScreen('/payments/1/receipt', { user, answers: [answer(getReceipt, receipt)] })
  await userEvent.click(await screen.findByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()
})

test('a missing receipt leads back to the payments', async () => {
  openScreen('/payments/1/receipt', { user, answers: [refuse(getReceipt, 'payment_not_found')] })
  expect(await screen.findByRole('heading', { name: 'Receipt Not Found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Payments' })).toHaveAttribute('href', '/payments')
})

test('an address without a payment id sends no request', async () => {
  const server = openScreen('/payments/none/receipt', { user, answers: [neverAnswer(getReceipt)] })
  expect(await screen.findByRole('heading', { name: 'Receipt Not Found' })).toBeVisible()
  expect(server.requestsTo(getReceipt)).toEqual([])
})

test('a receipt that failed to load can be loaded again', async () => {
  const server = openScreen('/payments/1/receipt', { user, answers: [refuse(getReceipt, 'too_many')] })
  expect(await screen.findByRole('alert')).toHaveTextContent('The receipt could not be loaded')
  server.add(answer(getReceipt, receipt))
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('article')).toBeVisible()
})
