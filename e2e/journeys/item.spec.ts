import type { APIRequestContext } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

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

test('the owner edits, closes and reopens a request; a visitor signs in to contact the owner', {
  tag: '@proof',
}, async ({ baseURL, createUser, openAs, openAsVisitor }) => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await openAs(await createUser(), undefined, { permissions })
  const id = await post(page.request)
  await page.goto(`/item/${id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('Two green lamps')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two green lamps')
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(toast(page)).toContainText('Link copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/item/${id}`)

  await page.getByRole('main').getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: 'Close Request' }).click()
  await expect(page.getByText('This request is closed.')).toBeVisible()
  const visitor = await openAsVisitor(`/item/${id}`)
  const contact = visitor.getByRole('button', { name: 'Contact Buyer' })
  // Visitors' pages are cached for a second.
  const reloadUntil = (check: () => Promise<void>) =>
    expect(async () => {
      await visitor.reload()
      await check()
    }).toPass()
  await reloadUntil(() => expect(contact).toBeDisabled({ timeout: 5_000 }))
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByRole('main').getByRole('button', { name: 'Close', exact: true })).toBeVisible()

  const { email, password } = await createUser('Bob')
  await reloadUntil(() => expect(contact).toBeEnabled({ timeout: 5_000 }))
  await contact.click()
  await expect(toast(visitor)).toContainText('Login Required')
  await expect(visitor).toHaveURL(`/auth?returnTo=%2Fitem%2F${id}`)
  await visitor.getByLabel('Email').fill(email)
  await visitor.getByLabel('Password', { exact: true }).fill(password)
  await visitor.getByRole('button', { name: 'Sign In' }).click()
  await expect(visitor).toHaveURL(`/item/${id}`)
  await contact.click()
  await expect(visitor).toHaveURL(new RegExp(`/messages\\?itemId=${id}`))
})

test('the page of a request has metadata for previews, with its picture and escaped texts', async ({
  baseURL,
  createUser,
  openAs,
  request,
}) => {
  const owner = await openAs(await createUser())
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

  const [, preview = ''] = /<meta property="og:image" content="([^"]+)">/.exec(html) ?? []
  expect(preview).toContain(`${baseURL}/og/item/${id}-`)
})
