import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, type Person, phone, test } from '../story.ts'

const LIVE_MS = 2_000

const lamp = {
  title: 'A green banker’s lamp',
  description: 'To match the pair.',
  category: 'Home & Garden',
  minBudget: 20,
  maxBudget: 45.5,
  location: 'Ipoh, Malaysia',
}

/** Posts as whoever is signed in on the page. */
async function postItem(page: Page, change: object = {}): Promise<{ id: number; userId: string }> {
  const reply = await page.request.post('/api/wanted-items', { data: { ...lamp, ...change } })
  expect(reply.status()).toBe(201)
  return reply.json()
}

async function write(page: Page, item: { id: number; userId: string }, content: string): Promise<void> {
  const data = { wantedItemId: item.id, receiverId: item.userId, content }
  expect((await page.request.post('/api/messages', { data })).status()).toBe(201)
}

const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ })
const toast = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
const offers = (page: Page) => page.getByRole('region', { name: 'Offers', exact: true })
const openThread = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name }).click()

interface Story {
  as: (person: Person, path: string, options?: object) => Promise<Page>
  given: { person: (firstName?: string) => Promise<Person> }
}

/** A buyer with a request, and a seller who has it open in Messages, each in a browser of their own. */
async function sideBySide({ as, given }: Story, change: object = {}, options: object = {}) {
  const [ada, bob] = await Promise.all([given.person('Ada'), given.person('Bob')])
  const buyer = await as(ada, '/', options)
  const item = await postItem(buyer, change)
  const seller = await as(bob, `/messages?itemId=${item.id}&userId=${item.userId}`, options)
  await expect(composer(seller)).toBeVisible()
  return { buyer, seller, item, bob }
}

test('two people talk, and each sees the other’s words as they come', async ({ as, given }) => {
  const [ada, bob] = await Promise.all([given.person('Ada'), given.person('Bob')])
  const buyer = await as(ada, '/')
  const item = await postItem(buyer)
  const seller = await as(bob, `/item/${item.id}`)
  await seller.getByRole('button', { name: 'Contact Buyer' }).click()
  await composer(seller).fill('I have one, with a glass shade.')
  await composer(seller).press('Enter')
  await expect(toast(seller)).toContainText('Message sent!')
  await expect(log(seller)).toContainText('✓ Sent')

  const badge = buyer.getByRole('link', { name: 'Messages, 1 unread' })
  await expect(badge).toBeVisible({ timeout: LIVE_MS })
  await badge.click()
  await openThread(buyer, 'Bob Tester')
  await expect(log(buyer)).toContainText('I have one, with a glass shade.')
  await expect(buyer.getByRole('link', { name: 'Messages', exact: true })).toBeVisible()
  await expect(log(seller)).toContainText('✓✓ Read', { timeout: LIVE_MS })

  await composer(buyer).fill('Could you send a picture?')
  await composer(buyer).press('Enter')
  await expect(log(seller)).toContainText('Could you send a picture?', { timeout: LIVE_MS })
  await expect(log(buyer).getByText('✓✓ Read')).toBeVisible({ timeout: LIVE_MS })
})

test('an offer, a counter-offer and its acceptance, each seen by the other', async ({ as, given }) => {
  const { buyer, seller, item } = await sideBySide({ as, given })
  await expect(seller.getByRole('slider', { name: 'Your offer' })).toHaveValue('45.5')
  await seller.getByRole('slider', { name: 'Your offer' }).fill('40')
  await expect(seller.getByRole('spinbutton')).toHaveValue('40.00')
  await expect(offers(seller)).toContainText('You receive$37.34')
  await offers(seller).getByLabel('Message').fill('Collected today, if you like.')
  await seller.getByRole('button', { name: 'Offer $40.00' }).click()
  await expect(toast(seller)).toContainText('Offer Sent!')
  await expect(offers(seller)).toContainText('Waiting for buyer response...')

  await buyer.goto(`/messages?itemId=${item.id}`)
  await expect(buyer).toHaveURL(/userId=/)
  await expect(log(buyer)).toContainText('Bob Tester offered $40.00')
  await expect(offers(buyer)).toContainText('Collected today, if you like.')
  await expect(buyer.getByRole('slider')).toHaveCount(0)
  await buyer.getByRole('button', { name: 'Counter' }).click()
  await buyer.getByRole('dialog').getByRole('spinbutton').fill('38')
  await buyer.getByRole('button', { name: 'Send Counter-Offer' }).click()

  await expect(log(seller)).toContainText('Ada Tester countered with $38.00', { timeout: LIVE_MS })
  await seller.getByRole('button', { name: 'Accept' }).click()
  await seller.getByRole('button', { name: 'Accept $38.00' }).click()
  await expect(toast(seller)).toContainText('Offer Accepted!')

  await expect(log(buyer)).toContainText('Bob Tester accepted the counter-offer of $38.00', {
    timeout: LIVE_MS,
  })
  const pay = buyer.getByRole('link', { name: 'Proceed to Payment' })
  await expect(pay).toHaveAttribute('href', /\/escrow-checkout\?itemId=\d+&offerId=\d+&amount=3800$/)
})

test('the buyer rejects, the seller withdraws', async ({ as, given }) => {
  const { buyer, seller, item } = await sideBySide({ as, given })
  await seller.getByRole('button', { name: 'Offer $45.50' }).click()
  await buyer.goto(`/messages?itemId=${item.id}`)
  await buyer.getByRole('button', { name: 'Reject' }).click()
  await expect(toast(buyer)).toContainText('Offer Rejected')
  await expect(offers(seller)).toContainText('Offer rejected', { timeout: LIVE_MS })

  await seller.getByRole('spinbutton').fill('30')
  await seller.getByRole('button', { name: 'Offer $30.00' }).click()
  await expect(buyer.getByRole('button', { name: 'Accept' })).toBeVisible({ timeout: LIVE_MS })
  await seller.getByRole('button', { name: 'Withdraw' }).click()
  await expect(offers(buyer)).toContainText('Offer withdrawn', { timeout: LIVE_MS })
  await expect(buyer.getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await expect(log(buyer)).toContainText('Bob Tester withdrew the offer of $30.00')
})

test('with an open budget any amount from 1 may be offered', async ({ as, given }) => {
  const { seller } = await sideBySide({ as, given }, { minBudget: 0, maxBudget: 0 })
  await expect(seller.getByRole('slider')).toHaveCount(0)
  await seller.getByLabel('Your offer').fill('0.99')
  await expect(seller.getByText('An amount of at least $1.00')).toBeVisible()
  await expect(seller.getByRole('button', { name: 'Send Offer' })).toBeDisabled()
  await seller.getByLabel('Your offer').fill('1200')
  await seller.getByRole('button', { name: 'Offer $1,200.00' }).click()
  await expect(offers(seller)).toContainText('Waiting for buyer response...')
})

test('a message that failed says so, and trying again sends it once', async ({ as, given }) => {
  const { seller } = await sideBySide({ as, given })
  const marks: string[] = []
  await seller.route('**/api/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    marks.push(route.request().postDataJSON().clientId)
    // The first does not reach the server; the second does, but its answer is lost.
    if (marks.length === 2) await route.fetch()
    await route.fulfill({ status: 429, body: '' })
  })
  await composer(seller).fill('Is it still wanted?')
  await composer(seller).press('Enter')
  await expect(toast(seller)).toContainText('Failed to send message. Please try again.')
  await expect(log(seller)).toContainText('Not sent')
  await seller.getByRole('button', { name: 'Retry' }).click()
  await expect(log(seller)).toContainText('✓ Sent')
  await expect(log(seller).getByText('Is it still wanted?')).toHaveCount(1)
  expect(marks).toHaveLength(2)
  expect(marks[1]).toBe(marks[0])
  expect(await (await seller.request.get('/api/messages')).json()).toHaveLength(1)
})

test('Enter sends, Shift+Enter breaks the line, blank text stays, and a draft is kept', async ({
  as,
  given,
}) => {
  const { seller } = await sideBySide({ as, given })
  await composer(seller).fill('   ')
  await composer(seller).press('Enter')
  await composer(seller).fill('')
  await composer(seller).pressSequentially('First line')
  await composer(seller).press('Shift+Enter')
  await composer(seller).pressSequentially('second line')
  await expect(composer(seller)).toHaveValue('First line\nsecond line')
  await seller.reload()
  await expect(composer(seller)).toHaveValue('First line\nsecond line')
  await composer(seller).press('Enter')
  await expect(composer(seller)).toHaveValue('')
  await expect(log(seller)).toContainText('✓ Sent')
  const [sent, ...others] = await (await seller.request.get('/api/messages')).json()
  expect(sent.content).toBe('First line\nsecond line')
  expect(others).toEqual([])
})

test('a session that has ended leads to the sign-in screen and back, and the words are not lost', async ({
  as,
  given,
}) => {
  const { seller, bob, item } = await sideBySide({ as, given })
  await seller.context().clearCookies()
  await composer(seller).fill('Still there?')
  await composer(seller).press('Enter')
  await expect(toast(seller)).toContainText('You are logged out. Logging in again...')
  await expect(seller).toHaveURL(/\/auth/)
  await seller.getByLabel('Email').fill(bob.email)
  await seller.getByLabel('Password', { exact: true }).fill(bob.password)
  await seller.getByRole('button', { name: 'Sign In' }).click()
  await expect(seller).toHaveURL(new RegExp(`/messages\\?itemId=${item.id}`))
  await expect(composer(seller)).toHaveValue('Still there?')
})

test('a long thread opens at its end, and older messages come without a jump', async ({ as, given }) => {
  const { seller, item } = await sideBySide({ as, given })
  // Within a stretch they may arrive in any order, which saves the waiting for each.
  const stretches = [
    [1, 50],
    [51, 60],
    [61, 64],
    [65, 109],
    [110, 110],
  ] as const
  for (const [first, last] of stretches) {
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    await Promise.all(numbers.map((n) => write(seller, item, `Message number ${n}.`)))
  }
  await seller.reload()
  await expect(log(seller).getByText('Message number 110.')).toBeInViewport()
  await expect(log(seller).getByText('Message number 61.')).toBeAttached()
  await expect(log(seller).getByText('Message number 60.')).toHaveCount(0)

  const mark = log(seller).getByText('Message number 64.')
  await mark.scrollIntoViewIfNeeded()
  const before = await mark.boundingBox()
  await expect(log(seller).getByText('Message number 60.')).toBeAttached()
  expect(Math.abs(((await mark.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(4)

  // Whoever reads further up is left there when something new comes.
  await write(seller, item, 'And one more.')
  await expect(log(seller).getByText('And one more.')).toBeAttached()
  expect(Math.abs(((await mark.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(4)
})

test('on a phone one pane is shown at a time', async ({ as, given }) => {
  const { buyer, seller, item } = await sideBySide({ as, given }, {}, phone)
  await write(seller, item, 'I have one.')
  await buyer.goto('/messages')
  await expect(log(buyer)).toHaveCount(0)
  await openThread(buyer, 'Bob Tester')
  await expect(log(buyer)).toContainText('I have one.')
  await expect(buyer.getByRole('navigation', { name: 'Conversations' })).toBeHidden()
  await expect(composer(buyer)).toBeInViewport({ ratio: 1 })
  await buyer.getByRole('link', { name: 'Back', exact: true }).click()
  await expect(buyer).toHaveURL('/messages')
  await expect(log(buyer)).toHaveCount(0)

  await seller.getByRole('button', { name: 'Make an offer' }).click()
  await seller.getByRole('button', { name: 'Offer $45.50' }).click()
  await expect(seller.getByRole('button', { name: 'Offer of $45.50, waiting for an answer' })).toBeVisible()
  expect(await seller.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('what is not there says so', async ({ as, given }) => {
  const page = await as(await given.person(), '/messages')
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  const item = await postItem(page)
  await page.goto(`/messages?itemId=${item.id}`)
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible()
  await page.goto(`/messages?itemId=${item.id}&userId=somebody`)
  await expect(page.getByRole('heading', { name: 'No such conversation' })).toBeVisible()
  await page.goto('/messages?itemId=99999999')
  await expect(page.getByRole('heading', { name: 'Item not found' })).toBeVisible()
})

for (const who of ['buyer', 'seller'] as const) {
  test(`axe finds nothing serious in the ${who}’s view, by day, by night and on a phone`, async ({
    as,
    given,
  }) => {
    const people = await sideBySide({ as, given }, {}, { reducedMotion: 'reduce' })
    const { buyer, seller, item } = people
    await write(seller, item, 'I have one.')
    await seller.getByRole('button', { name: 'Offer $45.50' }).click()
    await expect(offers(seller)).toContainText('Waiting for buyer response...')
    await seller.getByRole('button', { name: 'Make Another Offer' }).click()
    await buyer.goto(`/messages?itemId=${item.id}`)
    await expect(buyer.getByRole('button', { name: 'Accept' })).toBeVisible()
    const page = people[who]
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await seriousFindings(page), colorScheme).toEqual([])
    }
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await seriousFindings(page), 'on a phone').toEqual([])
  })
}

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`)
}
