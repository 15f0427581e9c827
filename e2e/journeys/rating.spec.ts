import { confirmDelivery, payIntoEscrow } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

test('a buyer rates a seller once, and the rating counts', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, seller } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await confirmDelivery(buyer, paymentId)
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
