import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import { expectAccessible, expectNoOverflow } from '../support/accessibility.ts'
import { lamp } from '../support/deals.ts'
import { expect, phone, setting, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'
import type { User } from '../support/users.ts'

const desktop = { width: 1280, height: 800 }

interface Item {
  id: number
  userId: string
}

async function postItem(page: Page): Promise<Item> {
  const reply = await page.request.post('/api/wanted-items', { data: { ...lamp, maxBudget: 45.5 } })
  expect(reply.status()).toBe(201)
  return reply.json()
}

async function write(page: Page, item: Item, content: string): Promise<void> {
  const data = { wantedItemId: item.id, receiverId: item.userId, content }
  expect((await page.request.post('/api/messages', { data })).status()).toBe(201)
}

const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ })
const offers = (page: Page) => page.getByRole('region', { name: 'Offers', exact: true })
const openThread = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name }).click()

async function send(page: Page, content: string): Promise<void> {
  await composer(page).fill(content)
  await composer(page).press('Enter')
}

interface Fixtures {
  openAs: (user: User, path?: string, options?: BrowserContextOptions) => Promise<Page>
  createUser: (firstName?: string) => Promise<User>
}

/** A buyer with a request and a seller, each with an empty page. */
async function createRequest({ openAs, createUser }: Fixtures, options?: BrowserContextOptions) {
  const [ada, bob] = await Promise.all([createUser('Ada'), createUser('Bob')])
  const [buyer, seller] = await Promise.all([openAs(ada), openAs(bob, undefined, options)])
  const item = await postItem(buyer)
  return { buyer, seller, bob, item, thread: `/messages?itemId=${item.id}&userId=${item.userId}` }
}

test('two users agree on a price and see each other’s steps live', async ({ createUser, openAs }) => {
  // In `npm run proof` on two server processes.
  const { buyer, seller, item } = await createRequest(
    { openAs, createUser },
    { baseURL: setting('SOUGHT_SECOND_ADDRESS') },
  )
  await Promise.all([buyer.goto('/'), seller.goto(`/item/${item.id}`)])
  expect(new URL(buyer.url()).origin).toBe(setting('SOUGHT_ADDRESS'))
  expect(new URL(seller.url()).origin).toBe(setting('SOUGHT_SECOND_ADDRESS'))
  await seller.getByRole('button', { name: 'Contact Buyer' }).click()
  await send(seller, 'I have one, with a glass shade.')
  await expect(toast(seller)).toContainText('Message sent!')
  await expect(log(seller)).toContainText('✓ Sent')

  await buyer.getByRole('link', { name: 'Messages, 1 unread' }).click()
  await openThread(buyer, 'Bob Tester')
  await expect(log(buyer)).toContainText('I have one, with a glass shade.')
  await expect(buyer.getByRole('link', { name: 'Messages', exact: true })).toBeVisible()
  await expect(log(seller)).toContainText('✓✓ Read')
  await send(buyer, 'Could you send a picture?')
  await expect(log(seller)).toContainText('Could you send a picture?')
  await expect(log(buyer).getByText('✓✓ Read')).toBeVisible()

  await seller.getByRole('button', { name: 'Offer $45.50' }).click()
  await expect(toast(seller)).toContainText('Offer Sent!')
  await buyer.getByRole('button', { name: 'Reject' }).click()
  await expect(toast(buyer)).toContainText('Offer Rejected')
  await expect(offers(seller)).toContainText('Offer rejected')

  await seller.getByRole('spinbutton').fill('30')
  await seller.getByRole('button', { name: 'Offer $30.00' }).click()
  await expect(buyer.getByRole('button', { name: 'Accept' })).toBeVisible()
  await seller.getByRole('button', { name: 'Withdraw' }).click()
  await expect(offers(buyer)).toContainText('Offer withdrawn')
  await expect(buyer.getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await expect(log(buyer)).toContainText('Bob Tester withdrew the offer of $30.00')

  await expect(seller.getByRole('slider', { name: 'Your offer' })).toHaveValue('45.5')
  await seller.getByRole('slider', { name: 'Your offer' }).fill('40')
  await expect(seller.getByRole('spinbutton')).toHaveValue('40.00')
  await expect(offers(seller)).toContainText('You receive$37.34')
  await offers(seller).getByLabel('Message').fill('Collected today, if you like.')
  await seller.getByRole('button', { name: 'Offer $40.00' }).click()
  await expect(offers(seller)).toContainText('Waiting for buyer response...')
  await expect(log(buyer)).toContainText('Bob Tester offered $40.00')
  await expect(offers(buyer)).toContainText('Collected today, if you like.')
  await expect(buyer.getByRole('slider')).toHaveCount(0)
  await seller.getByRole('button', { name: 'Make Another Offer' }).click()
  for (const page of [buyer, seller]) await expectAccessible(page)

  await buyer.getByRole('button', { name: 'Counter' }).click()
  await buyer.getByRole('dialog').getByRole('spinbutton').fill('38')
  await buyer.getByRole('button', { name: 'Send Counter-Offer' }).click()
  await expect(log(seller)).toContainText('Ada Tester countered with $38.00')
  await seller.getByRole('button', { name: 'Accept' }).click()
  await seller.getByRole('button', { name: 'Accept $38.00' }).click()
  await expect(toast(seller)).toContainText('Offer Accepted!')
  await expect(log(buyer)).toContainText('Bob Tester accepted the counter-offer of $38.00')

  const [counter] = await (await buyer.request.get('/api/offers')).json()
  await buyer.getByRole('link', { name: 'Proceed to Payment' }).click()
  await expect(buyer).toHaveURL(`/escrow-checkout?itemId=${item.id}&offerId=${counter.id}&amount=3800`)
})

test('an interrupted event stream reconnects and misses no event', { tag: '@proof' }, async ({
  createUser,
  openAs,
}) => {
  const { buyer, seller, item } = await createRequest({ openAs, createUser })
  let streams = 0
  const written = Promise.withResolvers<void>()
  await buyer.route('**/api/events', async (route) => {
    streams += 1
    if (streams === 1) return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 100\n\n' })
    await written.promise
    return route.continue()
  })
  await write(seller, item, 'Before the cut.')
  await buyer.goto(`/messages?itemId=${item.id}`)
  await expect(log(buyer)).toContainText('Before the cut.')
  // The first stream has ended and the second is not open yet, so the page can receive no events.
  await expect.poll(() => streams).toBe(2)
  await write(seller, item, 'While nobody listened.')
  written.resolve()
  await expect(log(buyer)).toContainText('While nobody listened.')
  await write(seller, item, 'And after.')
  await expect(log(buyer)).toContainText('And after.')
})

test('an unsent message survives a reload, a lost reply and an expired session, and is sent once', {
  tag: '@proof',
}, async ({ createUser, openAs }) => {
  const { seller, bob, item, thread } = await createRequest({ openAs, createUser })
  const clientIds: string[] = []
  await seller.route('**/api/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    clientIds.push(route.request().postDataJSON().clientId)
    // The first request does not reach the server. The second does, but its reply is lost.
    if (clientIds.length === 2) await route.fetch()
    if (clientIds.length <= 2) await route.fulfill({ status: 429, body: '' })
    else await route.fallback()
  })
  // Simulates messages that are too old for the first page, so that only the outbox shows them.
  await seller.route('**/api/messages?*', (route) => route.fulfill({ json: [] }))
  const sent = async () => (await seller.request.get('/api/messages')).json()
  const retry = seller.getByRole('button', { name: 'Retry' })

  await seller.goto(thread)
  await send(seller, 'Is it still wanted?')
  await expect(toast(seller)).toContainText('Failed to send message. Please try again.')
  await expect(log(seller)).toContainText('Not sent')
  await seller.getByRole('link', { name: 'Sought, home' }).click()
  await expect(seller).toHaveURL('/')
  await seller.goBack()
  await expect(log(seller)).toContainText('Not sent')
  expect(await sent()).toHaveLength(0)
  await retry.click()
  await expect.poll(() => clientIds).toHaveLength(2)
  await expect(log(seller)).toContainText('Not sent')
  expect(await sent()).toHaveLength(1)

  await composer(seller).fill('A draft')
  await seller.reload()
  await expect(composer(seller)).toHaveValue('A draft')
  await expect(log(seller)).toContainText('Is it still wanted?')
  await retry.click()
  await expect(log(seller)).toContainText('✓ Sent')
  expect(clientIds).toHaveLength(3)
  expect(new Set(clientIds).size).toBe(1)
  expect(await sent()).toHaveLength(1)
  await seller.unroute('**/api/messages?*')

  await seller.context().clearCookies()
  await send(seller, 'Still there?')
  await expect(toast(seller)).toContainText('You are logged out. Logging in again...')
  await expect(seller).toHaveURL(/\/auth/)
  await seller.getByLabel('Email').fill(bob.email)
  await seller.getByLabel('Password', { exact: true }).fill(bob.password)
  await seller.getByRole('button', { name: 'Sign In' }).click()
  await expect(seller).toHaveURL(new RegExp(`/messages\\?itemId=${item.id}`))
  await expect(log(seller).getByText('Is it still wanted?')).toHaveCount(1)
  await expect(log(seller)).toContainText('Still there?')
  await retry.click()
  await expect(log(seller).getByText('✓ Sent')).toHaveCount(2)
  await expect(retry).toHaveCount(0)
  expect(await sent()).toMatchObject([{ content: 'Still there?' }, { content: 'Is it still wanted?' }])
})

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A bubble is replaced when its message is stored, and briefly has no box. */
async function boxOf(locator: Locator): Promise<Box> {
  let box: Box | null = null
  await expect.poll(async () => (box = await locator.boundingBox())).not.toBeNull()
  if (!box) throw new Error('it has no box')
  return box
}

const overlap = (one: Box, two: Box) =>
  one.x < two.x + two.width &&
  two.x < one.x + one.width &&
  one.y < two.y + two.height &&
  two.y < one.y + one.height

/** Focuses the toasts, because they do not disappear while focused. */
const keepToast = (page: Page) => page.keyboard.press('F8')

/** Waits until the toast is inside the window and covers none of these elements. */
async function expectToastBeside(page: Page, ...others: Locator[]): Promise<void> {
  await keepToast(page)
  await expect(async () => {
    const [notice, ...boxes] = await Promise.all([toast(page), ...others].map(boxOf))
    if (!notice) throw new Error('the toast has no box')
    for (const box of boxes) expect(overlap(notice, box)).toBe(false)
    expect(Math.min(notice.x, notice.y)).toBeGreaterThanOrEqual(0)
  }).toPass()
}

test('on a phone one pane is shown at a time, and toasts cover neither thread nor composer', {
  tag: '@proof',
}, async ({ createUser, openAs }) => {
  const { seller, item } = await createRequest({ openAs, createUser }, phone)
  await write(seller, item, 'I have one.')
  await seller.goto('/messages')
  await expect(log(seller)).toHaveCount(0)
  await openThread(seller, 'Ada Tester')
  await expect(log(seller)).toContainText('I have one.')
  await expect(seller.getByRole('navigation', { name: 'Conversations' })).toBeHidden()
  await expect(composer(seller)).toBeInViewport({ ratio: 1 })
  await seller.getByRole('link', { name: 'Back', exact: true }).click()
  await expect(seller).toHaveURL('/messages')
  await expect(log(seller)).toHaveCount(0)
  await openThread(seller, 'Ada Tester')

  await send(seller, 'With a glass shade.')
  await expect(toast(seller)).toContainText('Message sent!')
  const sendButton = seller.getByRole('button', { name: 'Send', exact: true })
  const words = log(seller).getByText('With a glass shade.')
  await expectToastBeside(seller, composer(seller), sendButton, words)
  await seller.setViewportSize(desktop)
  await expectToastBeside(seller, composer(seller), sendButton, words)
  await seller.setViewportSize(phone.viewport)
  await toast(seller).getByRole('button', { name: 'Close' }).press('Enter')
  await expect(toast(seller)).toHaveCount(0)

  await seller.getByRole('button', { name: 'Make an offer' }).click()
  await seller.getByRole('button', { name: 'Offer $45.50' }).click()
  await expect(toast(seller)).toContainText('Offer Sent!')
  await keepToast(seller)
  // Not with the mouse, because the toast moves while the panel grows.
  await seller.getByRole('button', { name: 'Make Another Offer' }).press('Enter')
  await expect(seller.getByRole('button', { name: 'Offer $45.50' })).toBeVisible()
  await expectToastBeside(seller, composer(seller))
  await expect(seller.getByRole('button', { name: 'Offer of $45.50, waiting for an answer' })).toBeVisible()
  await expectNoOverflow(seller)
})

test('a long thread opens at its end, and loads older messages without jumping', { tag: '@proof' }, async ({
  createUser,
  openAs,
  database,
}) => {
  const { seller, item, thread } = await createRequest({ openAs, createUser })
  await write(seller, item, 'Message number 1.')
  await database.pool.query(
    `insert into messages (wanted_item_id, sender_id, receiver_id, content, created_at)
     select wanted_item_id, sender_id, receiver_id, 'Message number ' || number || '.', created_at
     from messages, generate_series(2, 110) number where wanted_item_id = $1 order by number`,
    [item.id],
  )
  await seller.goto(thread)
  await expect(log(seller).getByText('Message number 110.')).toBeInViewport()
  await expect(log(seller).getByText('Message number 61.')).toBeAttached()
  await expect(log(seller).getByText('Message number 60.')).toHaveCount(0)

  const mark = log(seller).getByText('Message number 64.')
  await mark.scrollIntoViewIfNeeded()
  const before = await boxOf(mark)
  const movedBy = async () => Math.abs((await boxOf(mark)).y - before.y)
  await expect(log(seller).getByText('Message number 60.')).toBeAttached()
  await expect.poll(movedBy).toBeLessThan(4)

  // New messages do not scroll a user who reads older ones.
  await write(seller, item, 'And one more.')
  await expect(log(seller).getByText('And one more.')).toBeAttached()
  await expect.poll(movedBy).toBeLessThan(4)
})
