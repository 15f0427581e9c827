import type { APIRequestContext } from '@playwright/test'
import { expectNoOverflow } from '../support/accessibility.ts'
import { expect, phone, test } from '../support/fixtures.ts'

const lamp = {
  title: 'A green banker’s lamp',
  description: 'To match the pair.\nThe shade must be glass.',
  category: 'Home & Garden',
  minBudget: 20,
  maxBudget: 45.5,
  location: 'Ipoh, Malaysia',
  urgency: 'high',
}

/** Posts a request as the user of these cookies, and returns its id. */
async function post(request: APIRequestContext, change: object = {}): Promise<number> {
  const reply = await request.post('/api/wanted-items', { data: { ...lamp, ...change } })
  expect(reply.status()).toBe(201)
  return (await reply.json()).id
}

test('a request shows everything that a seller needs', async ({ createUser, openAs, openAsVisitor }) => {
  const owner = await openAs(await createUser(), '/')
  const id = await post(owner.request)
  const page = await openAsVisitor(`/item/${id}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(lamp.title)
  for (const words of [
    'Home & Garden',
    'Urgent',
    'Posted just now',
    '$20 – $45.50',
    'Ipoh, Malaysia',
    'The shade must be glass.',
    'Very urgent',
    'Ada Tester',
  ]) {
    await expect(main.getByText(words, { exact: words === 'Urgent' }).first()).toBeVisible()
  }
})

test('a visitor who contacts the buyer signs in first and returns', async ({
  createUser,
  openAs,
  openAsVisitor,
}) => {
  const owner = await openAs(await createUser(), '/')
  const id = await post(owner.request)
  const { email, password } = await createUser('Bob')
  const page = await openAsVisitor(`/item/${id}`)
  await page.getByRole('button', { name: 'Contact Buyer' }).click()
  const toast = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  await expect(toast).toContainText('Login Required')
  await expect(page).toHaveURL(`/auth?returnTo=%2Fitem%2F${id}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(`/item/${id}`)
  await page.getByRole('button', { name: 'Contact Buyer' }).click()
  await expect(page).toHaveURL(new RegExp(`/messages\\?itemId=${id}`))
})

test('a missing request is a 404 and leads back', async ({ openAsVisitor, request }) => {
  expect((await request.get('/item/99999999')).status()).toBe(404)
  const page = await openAsVisitor('/item/99999999')
  await expect(page.getByRole('heading', { name: 'Item not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Marketplace' }).click()
  await expect(page).toHaveURL('/')
})

test('the owner edits, closes and reopens', async ({ createUser, openAs, openAsVisitor }) => {
  const page = await openAs(await createUser(), '/')
  const id = await post(page.request)
  await page.goto(`/item/${id}`)
  await expect(page.getByRole('button', { name: 'Contact Buyer' })).toHaveCount(0)
  await expect(page.getByText('No offers yet. Sellers who have it will message you.')).toBeVisible()

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('Two green lamps')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two green lamps')

  await page.getByRole('main').getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: 'Close Request' }).click()
  await expect(page.getByText('This request is closed.')).toBeVisible()
  const visitor = await openAsVisitor(`/item/${id}`)
  await expect(visitor.getByRole('button', { name: 'Contact Buyer' })).toBeDisabled()

  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByRole('main').getByRole('button', { name: 'Close', exact: true })).toBeVisible()
})

test('the page of a request has preview data, with its texts escaped', async ({
  baseURL,
  createUser,
  openAs,
  request,
}) => {
  const owner = await openAs(await createUser(), '/')
  const id = await post(owner.request, { title: 'A lamp "with" <b>quotes</b></title><script>1</script>' })
  const html = await (await request.get(`/item/${id}`)).text()
  expect(html).toContain('<title>Wanted: A lamp &#34;with&#34; &#60;b&#62;quotes')
  expect(html.match(/<title>/g)).toHaveLength(1)
  expect(html.match(/<meta name="description"/g)).toHaveLength(1)
  expect(html).toContain('<meta name="description" content="To match the pair. The shade must be glass.">')
  expect(html).toContain('<meta property="og:title" content="Wanted: A lamp')
  expect(html).toContain(`<meta property="og:url" content="${baseURL}/item/${id}">`)
  expect(html).not.toContain('<script>1</script>')
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? []
  expect(JSON.parse(json)).toMatchObject({
    '@type': 'Demand',
    itemOffered: { category: 'Home & Garden' },
    priceSpecification: { minPrice: 20, maxPrice: 45.5, priceCurrency: 'USD' },
  })
})

test('the preview has the picture of the request', async ({ baseURL, request }) => {
  const items = await (await request.get('/api/wanted-items?limit=100')).json()
  const pictured = items.find((item: { imageUrl: string | null }) => item.imageUrl?.startsWith('/files/'))
  const html = await (await request.get(`/item/${pictured.id}`)).text()
  expect(html).toContain(`<meta property="og:image" content="${baseURL}${pictured.imageUrl}">`)
})

test('a picture on another site is only linked, not loaded', async ({
  createUser,
  openAs,
  openAsVisitor,
}) => {
  const owner = await openAs(await createUser(), '/')
  const id = await post(owner.request, { imageUrl: 'https://elsewhere.example/lamp.jpg' })
  const page = await openAsVisitor()
  const strangers: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('elsewhere.example')) strangers.push(request.url())
  })
  await page.goto(`/item/${id}`)
  const link = page.getByRole('link', { name: 'elsewhere.example' })
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  expect(strangers).toEqual([])
})

test('the link can be copied', async ({ baseURL, createUser, openAs }) => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await openAs(await createUser(), '/', { permissions })
  const id = await post(page.request)
  await page.goto(`/item/${id}`)
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('region', { name: /Notifications/ })).toContainText('Link copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/item/${id}`)
})

test('on a phone, a long title does not overflow', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/', phone)
  const id = await post(page.request, { title: 'Averyveryverylongwordthatnobodywouldeverwrite'.repeat(2) })
  await page.goto(`/item/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectNoOverflow(page)
})
