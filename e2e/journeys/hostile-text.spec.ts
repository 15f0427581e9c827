import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { confirmDelivery, createDealBetween, payIntoEscrow } from '../support/deals.ts'
import { emailTo } from '../support/emails.ts'
import { textFile } from '../support/files.ts'
import { expect, ownContext, test } from '../support/fixtures.ts'
import { demoUsers, type User } from '../support/users.ts'

/*
 * People and requests whose texts are all attacks. Every screen must show them as plain text: no element of theirs
 * is in the page, no script of theirs ran, and the browser had nothing to block.
 */

const name = {
  firstName: '<img src=x onerror="window.hurt=1">',
  lastName: '</script><script>window.hurt=1</script>',
}
const fullName = `${name.firstName} ${name.lastName}`

const hostile = (mark: string) => ({
  title: `${mark} </title><script>window.hurt=1</script><svg onload="window.hurt=1">`,
  description: '--> "><img src=x onerror="window.hurt=1"> {{7*7}} javascript:window.hurt=1',
  category: 'Other',
  minBudget: 20,
  maxBudget: 900,
  location: '</option><iframe srcdoc="<script>parent.hurt=1</script>">',
  imageUrl: 'https://hurt.example/a.png"onerror="window.hurt=1',
})

const said = 'Look: <img src=x onerror="window.hurt=1"> <a href="javascript:window.hurt=1">here</a>'
const fileName = '<img src=x onerror=window.hurt=1>.txt'

async function hostilePerson(request: APIRequestContext): Promise<User> {
  const person = { ...name, email: `${randomUUID()}@example.com`, password: 'correct horse' }
  expect((await request.post('/api/auth/signup', { data: person })).status()).toBe(201)
  return person
}

/** From now on, every page records what the browser blocked, and an opened dialog fails the journey. */
async function watch(page: Page): Promise<Page> {
  page.on('dialog', () => {
    throw new Error('a hostile script has opened a dialog')
  })
  await page.addInitScript(() => {
    const forbidden: string[] = []
    Object.assign(window, { forbidden })
    document.addEventListener('securitypolicyviolation', (event) => {
      forbidden.push(`${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return page
}

/** Opens a screen and checks that it shows each text, and that no attack worked. */
async function lookAt(page: Page, path: string, ...texts: string[]): Promise<void> {
  await page.goto(path)
  await seen(page, page.locator('body'), ...texts)
}

async function seen(page: Page, where: Locator, ...texts: string[]): Promise<void> {
  for (const text of texts) await expect(where).toContainText(text)
  await expect(
    page.locator('img[src="x"], svg[onload], a[href^="javascript"], iframe[srcdoc*="<script"]'),
  ).toHaveCount(0)
  const marks = () =>
    page.evaluate(() => [Reflect.get(window, 'hurt') ?? 'unhurt', Reflect.get(window, 'forbidden')])
  expect(await marks()).toEqual(['unhurt', []])
}

/**
 * Checks the head from the server, as search engines and previews read it. It contains additional scripts, which
 * are data.
 */
async function readHead(page: Page, path: string, dataCount: number): Promise<void> {
  const scriptsOf = async (of: string) =>
    (await (await page.request.get(of)).text()).match(/<script/g)?.length ?? 0
  expect(await scriptsOf(path)).toBe((await scriptsOf('/')) + dataCount)
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  expect(data).toHaveLength(dataCount)
  for (const json of data) {
    expect(JSON.stringify(JSON.parse(json))).toContain('<script>window.hurt=1</script>')
  }
}

test('names and texts with markup are shown as text and never run', { tag: '@proof' }, async ({
  openAs,
  openAsVisitor,
  request,
}) => {
  const [ada, bob] = [await hostilePerson(request), await hostilePerson(request)]
  const [buyer, seller] = [
    await watch(await openAs(ada, undefined, ownContext)),
    await watch(await openAs(bob, undefined, ownContext)),
  ]
  const rename = (page: Page, id: number, mark: string) =>
    page.request.put(`/api/wanted-items/${id}`, { data: hostile(mark) })

  const rated = await createDealBetween({ buyer, seller, ada, bob }, 12_000)
  await rename(buyer, rated.item.id, 'Rated')
  const { paymentId: ratedId } = await payIntoEscrow(rated)
  await confirmDelivery(buyer, ratedId)
  await buyer.request.post(`/api/payments/${ratedId}/submit-rating`, { data: { rating: 4, feedback: said } })
  // Reviews are published once both have written theirs.
  await seller.request.post(`/api/payments/${ratedId}/review`, { data: { rating: 4, text: said } })

  const deal = await createDealBetween({ buyer, seller, ada, bob }, 12_000)
  await rename(buyer, deal.item.id, 'Disputed')
  const { item } = deal
  const thread = { wantedItemId: item.id, receiverId: item.userId }
  await seller.request.post('/api/messages', { data: { ...thread, content: said } })
  await seller.request.post('/api/offers', { data: { ...thread, amount: 11_000, message: said } })
  const { paymentId } = await payIntoEscrow(deal)
  await buyer.request.post('/api/initiate-dispute', { data: { paymentId, reason: said } })
  const answered = await seller.request.post(`/api/disputes/${paymentId}/answer`, { data: { content: said } })
  const { submittedBy: sellerId } = await answered.json()
  const evidence = { file: textFile(fileName, 'It was blue.'), description: said }
  await buyer.request.post(`/api/disputes/${paymentId}/upload-evidence`, { multipart: evidence })

  const visitor = await watch(await openAsVisitor(undefined, ownContext))
  const mark = `Wanted${randomUUID().slice(0, 8)}`
  const { title, description, location } = hostile(mark)
  const posted = await (await seller.request.post('/api/wanted-items', { data: hostile(mark) })).json()
  await lookAt(visitor, `/?search=${mark}`, title, location)
  await lookAt(visitor, `/item/${posted.id}`, title, description, location, fullName)
  // The request and its breadcrumbs.
  await readHead(visitor, `/item/${posted.id}`, 2)
  await lookAt(visitor, `/user/${sellerId}`, fullName, said, title)
  await readHead(visitor, `/user/${sellerId}`, 1)
  expect(await (await request.get('/sitemap/requests-0.xml')).text()).not.toContain('script')

  const disputed = hostile('Disputed').title
  await lookAt(buyer, `/messages?itemId=${item.id}&userId=${sellerId}`, fullName, disputed, said)
  await lookAt(buyer, '/notifications', fullName, disputed)
  await lookAt(buyer, '/payments', disputed, hostile('Rated').title)
  await lookAt(seller, `/dispute/${paymentId}`, disputed, said, fileName)

  const desk = await watch(await openAs(demoUsers.admin, undefined, ownContext))
  await lookAt(desk, `/admin/disputes?search=${sellerId}`, disputed, said)
  await desk.getByRole('button', { name: 'Review', exact: true }).click()
  const dialog = desk.getByRole('dialog')
  for (const [tab, text] of [
    ['Overview', fullName],
    ['Evidence', fileName],
    ['Timeline', said],
  ] as const) {
    await dialog.getByRole('tab', { name: tab }).click()
    await seen(desk, dialog, text)
  }

  const { subject } = await emailTo(request, ada.email, 'dispute_answered')
  await lookAt(visitor, '/dev/mail', subject)
  await visitor.getByRole('link', { name: ada.email }).first().click()
  await expect(visitor.frameLocator('iframe').getByRole('heading')).toBeVisible()
  await seen(visitor, visitor.locator('body'), subject)
})
