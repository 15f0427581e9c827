import { expectAccessible } from '../support/accessibility.ts'
import { confirmDelivery, payIntoEscrow } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'

test('a public profile shows ratings, feedback and open requests, and nothing private', async ({
  createDeal,
  openAsVisitor,
}) => {
  const deal = await createDeal()
  const { buyer, seller, item, bob } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await confirmDelivery(buyer, paymentId)
  await buyer.request.post(`/api/payments/${paymentId}/submit-rating`, {
    data: { rating: 4, feedback: 'A day late, but as described.' },
  })
  const wanted = {
    title: 'A brass telescope',
    description: 'To see the sea.',
    category: 'Other',
    minBudget: 10,
    maxBudget: 90,
    location: 'Ipoh, Malaysia',
  }
  const posted = await (await seller.request.post('/api/wanted-items', { data: wanted })).json()

  const page = await openAsVisitor(`/item/${posted.id}`)
  await page.getByRole('main').getByRole('link', { name: 'Bob Tester' }).click()
  await expect(page).toHaveURL(`/user/${posted.userId}`)
  await expect(page.getByRole('heading', { name: 'Bob Tester', level: 1 })).toBeVisible()
  await expect(page).toHaveTitle('Bob Tester · Sought')
  const main = page.getByRole('main')
  await expect(main.getByRole('img', { name: 'Rated 4.0 out of 5' }).first()).toBeVisible()
  await expect(main).toContainText('(1)')
  await expect(main).toContainText(/Member since \w+ \d+, 20\d\d/)
  await expect(page.getByRole('region', { name: 'Open requests' }).getByRole('article')).toContainText([
    'A brass telescope',
  ])
  const feedback = page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
  await expect(feedback).toHaveCount(1)
  await expect(feedback).toContainText('A day late, but as described.')
  await expect(feedback).toContainText(item.title)
  await expect(main).not.toContainText(bob.email)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await feedback.getByRole('link', { name: 'Ada Tester' }).click()
  await expect(page).toHaveURL(`/user/${item.userId}`)
  await expect(main).toContainText('No ratings yet')
  await expect(main).toContainText('No feedback yet.')
  await expect(main).toContainText('No open requests right now.')

  await seller.goto(`/user/${posted.userId}`)
  await seller.getByRole('link', { name: 'Edit Profile' }).click()
  await expect(seller).toHaveURL('/profile?tab=settings')
  await seller.goto(`/messages?itemId=${item.id}&userId=${item.userId}`)
  await expect(seller.getByRole('heading', { name: 'Ada Tester' }).getByRole('link')).toHaveAttribute(
    'href',
    `/user/${item.userId}`,
  )

  expect((await page.goto('/user/nobody'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'User not found', level: 1 })).toBeVisible()
})

test('long feedback loads page by page', async ({ createUser, openAs, openAsVisitor }) => {
  const bob = await createUser('Bob')
  const { id } = await (await (await openAs(bob)).request.get('/api/auth/user')).json()
  const page = await openAsVisitor()
  const asked: (string | null)[] = []
  const by = { id: 'u', name: 'Ada', rating: 0, profileImageUrl: null }
  await page.route(/\/api\/users\/[^/]+\/feedback/, (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor')
    asked.push(cursor)
    const count = cursor ? 1 : 12
    return route.fulfill({
      json: Array.from({ length: count }, (_, index) => ({
        paymentId: (cursor ? 10 : 30) - index,
        rating: 5,
        feedback: null,
        itemTitle: 'A lamp',
        by,
        createdAt: '2026-01-02T03:04:05.000Z',
      })),
    })
  })
  await page.goto(`/user/${id}`)
  const lines = page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
  await expect(lines).toHaveCount(12)
  await page.getByRole('button', { name: 'Show more feedback' }).click()
  await expect(lines).toHaveCount(13)
  expect(asked).toEqual([null, '19'])
})
