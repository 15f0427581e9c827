import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

/** Two by two pixels, half of them green. */
const picture = {
  name: 'amp.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFklEQVQImWMQ8DL//O4hw+d3DwW8zAEubgan+ThNeAAAAABJRU5ErkJggg==',
    'base64',
  ),
}

/** A title that no other test posts. */
const newTitle = () => `Valve amplifier ${Math.random().toString(36).slice(2)}`

/** Fills in the required fields, on the page or in the dialog. */
async function fillIn(form: Page | Locator, title: string): Promise<void> {
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Category').selectOption('Music')
  await form.getByLabel('Location').fill('Penang')
  await form.getByLabel('Description').fill('Hums quietly, glows warmly.')
}

const send = (form: Page | Locator) => form.getByRole('button', { name: 'Post Request' }).click()

/** The requests with this title that visitors can see. */
async function findPosted(page: Page, title: string) {
  const reply = await page.request.get('/api/wanted-items', { params: { search: title, limit: '100' } })
  const items: Record<string, unknown>[] = await reply.json()
  return items.filter((item) => item.title === title)
}

test('a request with a picture is posted in the dialog of the home page, and visitors see it', async ({
  createUser,
  openAs,
  openAsVisitor,
}) => {
  const title = newTitle()
  const page = await openAs(await createUser(), '/')
  const opener = page.getByRole('main').getByRole('button', { name: 'Post a Request' })
  const dialog = page.getByRole('dialog', { name: 'Post a Request' })
  await opener.click()
  await fillIn(dialog, title)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Title')).toHaveValue(title)
  await dialog.getByLabel('Minimum budget').fill('1,250.50')
  await dialog.getByLabel('Maximum budget').fill('1800')
  await dialog.getByLabel('Urgent need').check()
  await dialog.getByLabel('Pictures', { exact: true }).setInputFiles(picture)
  await expect(dialog.getByText('amp.png')).toBeVisible()
  await expect(dialog.getByText('Uploaded')).toBeVisible()
  await send(dialog)
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL('/')
  await expect(toast(page)).toContainText('Success!')
  await expect(toast(page)).toContainText('Your wanted item has been posted.')

  const [item] = await findPosted(page, title)
  expect(item).toMatchObject({
    title,
    category: 'Music',
    description: 'Hums quietly, glows warmly.',
    location: 'Penang',
    minBudget: 1250.5,
    maxBudget: 1800,
    urgency: 'high',
    imageUrl: expect.stringMatching(/^\/files\//),
  })
  expect((await page.request.get(String(item?.imageUrl))).headers()['content-type']).toMatch(/^image\//)
  await toast(page).getByRole('button', { name: 'View It' }).click()
  await expect(page).toHaveURL(`/item/${item?.id}`)
  const visitor = await openAsVisitor(`/?search=${title}`)
  await expect(visitor.getByRole('link', { name: title }).first()).toBeVisible()
  // Users do not see their own requests on the home page.
  await page.goto(`/?search=${title}`)
  await expect(page.getByRole('heading', { name: 'No requests found' })).toBeVisible()
})

test('a request can be posted with the keyboard alone, and an unfinished one survives a reload', {
  tag: '@proof',
}, async ({ createUser, openAs }) => {
  const title = newTitle()
  const page = await openAs(await createUser(), '/post')
  const { keyboard } = page
  await page.getByLabel('Title').focus()
  await keyboard.press('Enter')
  await expect(page.getByLabel('Title')).toBeFocused()
  await expect(page.getByLabel('Title')).toHaveAccessibleDescription('Title is required')
  await keyboard.type(title)
  await expect(page.getByLabel('Title')).toHaveAccessibleDescription('')
  await keyboard.press('Tab')
  await keyboard.type('Books')
  await page.reload()
  await expect(page.getByLabel('Title')).toHaveValue(title)
  await expect(page.getByLabel('Category')).toHaveValue('Books & Media')
  await page.getByLabel('Category').focus()
  await keyboard.press('Tab')
  await keyboard.type('Ipoh')
  await keyboard.press('Tab')
  await keyboard.type('A first edition')
  await keyboard.press('Tab')
  await keyboard.type('some')
  await keyboard.press('Enter')
  await expect(page.getByLabel('Minimum budget')).toHaveAccessibleDescription('Must be a number')
  await expect(page.getByLabel('Minimum budget')).toBeFocused()
  await keyboard.press('ControlOrMeta+A')
  await keyboard.type('20')
  await keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  expect(await findPosted(page, title)).toEqual([
    expect.objectContaining({ category: 'Books & Media', location: 'Ipoh', minBudget: 20, maxBudget: 0 }),
  ])
})
