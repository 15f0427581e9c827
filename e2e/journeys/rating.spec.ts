import { payIntoEscrow, recordTimerDelays, startPayment } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

const stars = ['1 star, Poor', '2 stars, Fair', '3 stars, Good', '4 stars, Very Good', '5 stars, Excellent']

test('the stars have their words, and one must be chosen', async ({ createUser, openAs }) => {
  const page = await openAs(
    await createUser(),
    '/rating?paymentId=1&sellerName=Bob%20Tester&itemTitle=A%20lamp&amount=12000',
  )
  await expect(page.getByRole('heading', { name: 'Rate Bob Tester' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('A lamp$120.00')
  for (const name of stars) await expect(page.getByRole('radio', { name })).not.toBeChecked()
  await page.getByRole('button', { name: 'Submit Rating' }).click()
  await expect(page.getByText('Please select a star rating before submitting.')).toBeVisible()
  await expect(page.getByRole('radio', { name: '1 star, Poor' })).toBeFocused()
  await page.getByRole('radio', { name: '4 stars, Very Good' }).check()
  await expect(page.getByText('Please select a star rating before submitting.')).toHaveCount(0)
})

test('a rating is sent once, and counts', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, seller } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await buyer.request.post(`/api/payments/${paymentId}/confirm-delivery`)
  await buyer.goto('/payments')
  await buyer.getByRole('link', { name: 'Rate Seller' }).click()
  await buyer.getByRole('radio', { name: '4 stars, Very Good' }).check()
  const sent: unknown[] = []
  buyer.on('request', (request) => {
    if (request.url().endsWith('/submit-rating')) sent.push(request.postDataJSON())
  })
  await buyer.getByLabel('Feedback').fill('A day late, but as described.')
  await buyer.getByRole('button', { name: 'Submit Rating' }).dblclick()
  await expect(toast(buyer)).toContainText('Thank you!')
  await expect(buyer).toHaveURL('/payments')
  expect(sent).toEqual([{ rating: 4, feedback: 'A day late, but as described.' }])
  expect(await (await seller.request.get('/api/auth/user')).json()).toMatchObject({ rating: 4 })

  await buyer.goto(`/rating?paymentId=${paymentId}&sellerName=Bob`)
  await buyer.getByRole('radio', { name: '1 star, Poor' }).check()
  await buyer.getByRole('button', { name: 'Submit Rating' }).click()
  await expect(toast(buyer)).toContainText('You have already rated this payment.')
})

test('the redirect waits two seconds', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser())
  await page.route('**/submit-rating', (route) => route.fulfill({ json: { ok: true } }))
  await page.goto('/rating?paymentId=1&sellerName=Bob')
  await page.getByRole('radio', { name: '5 stars, Excellent' }).check()
  const delays = await recordTimerDelays(page)
  await page.getByRole('button', { name: 'Submit Rating' }).click()
  await expect(toast(page)).toContainText('Thank you!')
  expect(await delays()).toContain(2000)
  await expect(page).toHaveURL('/payments')
})

test('a rating that fails can be sent again', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer } = deal
  const { paymentId } = await startPayment(deal)
  await buyer.route('**/submit-rating', (route) => route.fulfill({ status: 429, body: '' }))
  await buyer.goto(`/rating?paymentId=${paymentId}&sellerName=Bob`)
  await buyer.getByRole('radio', { name: '5 stars, Excellent' }).check()
  await buyer.getByRole('button', { name: 'Submit Rating' }).click()
  await expect(toast(buyer)).toContainText('Failed to submit rating. Please try again.')
  await expect(buyer.getByRole('button', { name: 'Submit Rating' })).toBeEnabled()
})

test('without a payment there is nothing to rate', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/rating?sellerName=Bob')
  await expect(page.getByText('Invalid payment information.')).toBeVisible()
  await page.getByRole('link', { name: 'My Transactions' }).click()
  await expect(page).toHaveURL('/payments')
})
