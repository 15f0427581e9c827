import { expectAccessibleOnDesktop } from '../support/accessibility.ts'
import { payIntoEscrow, startPayment } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

test('both users see the steps of a payment live, and the buyer reports a problem', {
  tag: '@proof',
}, async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, seller } = deal
  const { intentId } = await startPayment(deal)
  await Promise.all([
    buyer.goto(`/payment-success?escrow=true&payment_intent=${intentId}`),
    seller.goto('/payments'),
  ])
  // Opening the checkout is not a payment yet.
  await expect(buyer.getByRole('heading', { name: 'Not paid yet' })).toBeVisible()
  await expect(seller.getByRole('heading', { name: 'No transactions yet' })).toBeVisible()

  const { paymentId } = await payIntoEscrow(deal)
  await expect(buyer.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  const sale = seller.getByRole('article')
  await expect(sale).toContainText('Sold to Ada Tester')
  await expect(sale).toContainText('In Escrow')
  await buyer.getByRole('link', { name: 'Go to Messages' }).click()
  await expect(buyer).toHaveURL('/messages')
  const openThread = () =>
    buyer.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'Bob Tester' }).click()
  await openThread()
  const update = buyer.getByRole('article', { name: 'Transaction update' })
  await expect(update).toContainText('In Escrow')
  await expectAccessibleOnDesktop(buyer)
  await update.getByRole('link', { name: 'Confirm Delivery' }).click()
  await expect(buyer).toHaveURL(`/delivery/${paymentId}`)

  await buyer.getByRole('button', { name: 'Report a Problem' }).click()
  await buyer.getByLabel('What went wrong?').fill('The shade is cracked.')
  await buyer.getByRole('button', { name: 'Submit Dispute' }).click()
  await expect(toast(buyer)).toContainText('Dispute submitted')
  await expect(buyer).toHaveURL('/messages')
  await expect(sale).toContainText('In Dispute')
  await openThread()
  await expect(update).toContainText('In Dispute')
  const payment = await (await buyer.request.get(`/api/payments/${paymentId}`)).json()
  expect(payment).toMatchObject({ status: 'disputed', disputeReason: 'The shade is cracked.' })
})
