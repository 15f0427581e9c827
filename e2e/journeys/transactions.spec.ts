import { payIntoEscrow, startPayment } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'

test('nothing yet: what to do next', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/payments')
  await expect(page.getByRole('heading', { name: 'My Transactions', level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No transactions yet' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Post a Request' }).click()
  await expect(page).toHaveURL('/post')
})

test('each side sees its own, and the news as it comes', async ({ createDeal }) => {
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

  await buyer.request.post(`/api/payments/${paymentId}/confirm-delivery`)
  await expect(bought).toContainText('Payment Released')
  await expect(bought.getByRole('link', { name: 'Rate Seller' })).toBeVisible()
  await expect(sold).toContainText('Payment Released')
  await expect(sold).toContainText('Owed to you. Set up payouts to receive it.')
  await sold.getByRole('link', { name: 'Set up payouts' }).click()
  await expect(seller).toHaveURL('/seller-setup')
})

test('the latest three stand on top, and the list goes on page by page', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer } = deal
  await startPayment(deal)
  const [pair] = await (await buyer.request.get('/api/payments')).json()
  const asked: (string | null)[] = []
  await buyer.route(/\/api\/payments\?/, (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor')
    asked.push(cursor)
    const first = cursor === null ? 100 : Number(cursor) - 1
    const count = cursor === null ? 20 : 2
    return route.fulfill({
      json: Array.from({ length: count }, (_, index) => ({
        ...pair,
        payments: { ...pair.payments, id: first - index },
      })),
    })
  })
  await buyer.goto('/payments')
  await expect(buyer.getByRole('region', { name: 'Recent' }).getByRole('article')).toHaveCount(3)
  await expect(buyer.getByRole('region', { name: 'Earlier' }).getByRole('article')).toHaveCount(17)
  await buyer.getByRole('button', { name: 'Show more' }).click()
  await expect(buyer.getByRole('region', { name: 'Earlier' }).getByRole('article')).toHaveCount(19)
  await expect(buyer.getByRole('button', { name: 'Show more' })).toHaveCount(0)
  // News may have it read again, but each page goes on after the last payment of the one before.
  expect(new Set(asked)).toEqual(new Set([null, '81']))
})

test('a list that does not load can be asked for again', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser())
  let broken = true
  // News would have the list read again by itself.
  await page.route('**/api/events', (route) => route.fulfill({ status: 204 }))
  await page.route(/\/api\/payments\?/, (route) =>
    broken ? route.fulfill({ status: 429, body: '' }) : route.fallback(),
  )
  await page.goto('/payments')
  await expect(page.getByRole('alert')).toContainText('This could not be loaded')
  broken = false
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: 'No transactions yet' })).toBeVisible()
})

test('a seller with bank details is told that it is sent by hand', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, seller } = deal
  await seller.request.post('/api/seller/save-bank-account', {
    data: { account_holder_name: 'Bob Tester', routing_number: '110000000', account_number: '000123456789' },
  })
  const { paymentId } = await payIntoEscrow(deal)
  await buyer.request.post(`/api/payments/${paymentId}/confirm-delivery`)
  await seller.goto('/payments')
  const sale = seller.getByRole('article')
  await expect(sale).toContainText('Owed to you. We will transfer it to your bank.')
  await expect(sale.getByRole('link', { name: 'Set up payouts' })).toHaveCount(0)
})
