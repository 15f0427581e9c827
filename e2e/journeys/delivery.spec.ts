import { payIntoEscrow, paymentStatus, startPayment, withoutEvents } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

test('the buyer sees the amount in escrow and its release date', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await buyer.goto(`/delivery/${paymentId}`)
  const main = buyer.getByRole('main')
  await expect(main).toContainText('A green banker’s lamp')
  await expect(main).toContainText('Amount$120.00')
  await expect(main).toContainText('StatusIn Escrow')
  const sevenDaysOn = new Intl.DateTimeFormat('en-US', {
    month: 'long',
    day: 'numeric',
    year: 'numeric',
  }).format(Date.now() + 7 * 86_400_000)
  await expect(main).toContainText(`Auto-release${sevenDaysOn}`)
  await expect(buyer.getByRole('list', { name: 'Payment progress' })).toContainText('In escrow')
})

test('a problem report opens a dispute and leads to Messages', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await buyer.goto(`/delivery/${paymentId}`)
  await buyer.getByRole('button', { name: 'Report a Problem' }).click()
  await expect(buyer.getByRole('alertdialog')).toContainText('“Product not as described”')
  await buyer.getByRole('button', { name: 'Cancel' }).click()
  await buyer.getByLabel('Feedback').fill('The shade is cracked.')
  await buyer.getByRole('button', { name: 'Report a Problem' }).click()
  await expect(buyer.getByRole('alertdialog')).toContainText('“The shade is cracked.”')
  await buyer.getByRole('button', { name: 'Submit Dispute' }).click()
  await expect(toast(buyer)).toContainText('Dispute submitted')
  await expect(buyer).toHaveURL('/messages')
  const payment = await (await buyer.request.get(`/api/payments/${paymentId}`)).json()
  expect(payment).toMatchObject({ status: 'disputed', disputeReason: 'The shade is cracked.' })

  await buyer.goto(`/delivery/${paymentId}`)
  await expect(buyer.getByText('The money stays in escrow until the dispute is resolved.')).toBeVisible()
  await expect(buyer.getByRole('button', { name: 'Confirm Delivery' })).toHaveCount(0)
  await expect(buyer.getByRole('link', { name: 'View Dispute' })).toHaveAttribute(
    'href',
    `/dispute/${paymentId}`,
  )
})

test('a pending payment can be confirmed after asking the provider', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, checkout } = deal
  const { paymentId } = await startPayment(deal)
  await buyer.goto(`/delivery/${paymentId}`)
  await expect(buyer.getByRole('main')).toContainText('StatusProcessing')
  await expect(buyer.getByRole('heading', { name: 'Already received it?' })).toBeVisible()
  await expect(buyer.getByRole('link', { name: 'Not paid yet? Back to checkout' })).toHaveAttribute(
    'href',
    checkout,
  )
  // Nothing was charged, so the provider has no payment.
  await buyer.getByRole('button', { name: 'Confirm Delivery Now' }).click()
  await buyer.getByRole('button', { name: 'Release $120.00' }).click()
  await expect(toast(buyer)).toContainText('Failed to confirm delivery')
  expect(await paymentStatus(buyer, paymentId)).toBe('pending')

  // The card is charged, but the page does not know it yet.
  await withoutEvents(buyer)
  await buyer.reload()
  await buyer.getByRole('button', { name: 'Confirm Delivery Now' }).click()
  await buyer.route(`**/api/payments/${paymentId}`, async (route) => {
    const reply = await route.fetch()
    const payment = await reply.json()
    await route.fulfill({
      json: payment.status === 'held_in_escrow' ? { ...payment, status: 'pending' } : payment,
    })
  })
  await payIntoEscrow(deal)
  await buyer.getByRole('button', { name: 'Release $120.00' }).click()
  await expect(buyer.getByRole('heading', { name: 'Delivery Already Confirmed' })).toBeVisible()
  expect(await paymentStatus(buyer, paymentId)).toBe('completed')
})

test('an expired session leads to the sign-in screen', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await buyer.goto(`/delivery/${paymentId}`)
  await buyer.getByRole('button', { name: 'Confirm Delivery' }).click()
  await buyer.context().clearCookies()
  await buyer.getByRole('button', { name: 'Release $120.00' }).click()
  await expect(buyer).toHaveURL('/auth')
})
