import { confirmDelivery, payIntoEscrow, startPayment } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'

test('buyer and seller see the payment and its changes live', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, seller, checkout } = deal
  const { paymentId } = await startPayment(deal)
  await buyer.goto('/payments')
  await seller.goto('/payments')
  const [bought, sold] = [buyer.getByRole('article'), seller.getByRole('article')]
  await expect(bought).toContainText('Buyer')
  await expect(bought).toContainText('Bought from Bob Tester')
  await expect(bought).toContainText('Processing')
  await expect(bought.getByRole('link', { name: 'Complete Payment' })).toHaveAttribute('href', checkout)
  await expect(sold).toContainText('Seller')
  await expect(sold).toContainText('Sold to Ada Tester')
  await expect(sold.getByRole('link', { name: 'Complete Payment' })).toHaveCount(0)

  await payIntoEscrow(deal)
  await expect(bought).toContainText('In Escrow')
  await expect(bought.getByRole('link', { name: 'Confirm Delivery' })).toHaveAttribute(
    'href',
    `/delivery/${paymentId}`,
  )
  await expect(bought.getByRole('link', { name: 'Report Issue' })).toHaveAttribute(
    'href',
    `/dispute-report?paymentId=${paymentId}`,
  )
  await expect(bought).toContainText('unless a problem is reported')
  await expect(sold).toContainText('In Escrow')
  await expect(sold).toContainText('Your payout$112.62')
  await expect(sold.getByRole('link', { name: 'Confirm Delivery' })).toHaveCount(0)
  await expect(sold.getByRole('link', { name: 'Report Issue' })).toHaveCount(0)

  await confirmDelivery(buyer, paymentId)
  await expect(bought).toContainText('Payment Released')
  await expect(bought.getByRole('link', { name: 'Rate Seller' })).toBeVisible()
  await expect(sold).toContainText('Payment Released')
  await expect(sold).toContainText('Owed to you. Set up payouts to receive it.')
  await sold.getByRole('link', { name: 'Set up payouts' }).click()
  await expect(seller).toHaveURL('/seller-setup')
})
