import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

/** Two pixels by two, half of them green. */
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

test('a user posts a request with a picture, and visitors see it', async ({
  createUser,
  openAs,
  openAsVisitor,
}) => {
  const title = newTitle()
  const page = await openAs(await createUser(), '/post')
  await fillIn(page, title)
  await page.getByLabel('Minimum budget').fill('1,250.50')
  await page.getByLabel('Maximum budget').fill('1800')
  await page.getByLabel('Urgent need').check()
  await page.getByLabel('Picture', { exact: true }).setInputFiles(picture)
  await expect(page.getByText('amp.png')).toBeVisible()
  await expect(page.getByText('Uploaded')).toBeVisible()
  await send(page)
  await expect(page).toHaveURL('/')
  await expect(toast(page)).toContainText('Success!')
  await expect(toast(page)).toContainText('Your wanted item has been posted.')

  const visitor = await openAsVisitor('/')
  const [item] = await findPosted(visitor, title)
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
  expect((await visitor.request.get(String(item?.imageUrl))).headers()['content-type']).toMatch(/^image\//)
  await visitor.goto(`/?search=${title}`)
  await expect(visitor.getByRole('link', { name: title }).first()).toBeVisible()
})

test('without budgets the budget is open, and a picture link is kept as it is', async ({
  createUser,
  openAs,
}) => {
  const title = newTitle()
  const page = await openAs(await createUser(), '/post')
  await fillIn(page, title)
  await page.getByLabel('Or a link to a picture').fill('https://example.com/amp.jpg')
  await send(page)
  await expect(page).toHaveURL('/')
  expect(await findPosted(page, title)).toEqual([
    expect.objectContaining({
      minBudget: 0,
      maxBudget: 0,
      urgency: 'medium',
      imageUrl: 'https://example.com/amp.jpg',
    }),
  ])
})

test('with the keyboard alone: missing fields show errors, which disappear on typing', async ({
  createUser,
  openAs,
}) => {
  const title = newTitle()
  const page = await openAs(await createUser(), '/post')
  const { keyboard } = page
  await page.getByLabel('Title').focus()
  await keyboard.press('Enter')
  await expect(page.getByLabel('Title')).toBeFocused()
  for (const label of ['Title', 'Category', 'Location', 'Description']) {
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(`${label} is required`)
  }
  await keyboard.type(title)
  await expect(page.getByLabel('Title')).toHaveAccessibleDescription('')
  await keyboard.press('Tab')
  await keyboard.type('Books')
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

test('a file that is no image is refused by the server and can be removed', async ({
  createUser,
  openAs,
}) => {
  const page = await openAs(await createUser(), '/post')
  await page
    .getByLabel('Picture', { exact: true })
    .setInputFiles({ ...picture, buffer: Buffer.from('not a picture at all') })
  await expect(page.getByText('Please upload an image file (JPG, PNG, etc.)')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try Again' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove Picture' }).click()
  await expect(page.getByLabel('Picture', { exact: true })).toBeFocused()
})

test('a failed upload blocks posting until it is retried', async ({ createUser, openAs }) => {
  const title = newTitle()
  const page = await openAs(await createUser(), '/post')
  await page.route('**/api/wanted-items/image', (route) => route.fulfill({ status: 429 }), { times: 1 })
  await fillIn(page, title)
  await page.getByLabel('Picture', { exact: true }).setInputFiles(picture)
  await expect(page.getByText('The picture could not be uploaded.')).toBeVisible()
  await send(page)
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeFocused()
  expect(await findPosted(page, title)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByText('Uploaded')).toBeVisible()
  await send(page)
  await expect(page).toHaveURL('/')
  expect(await findPosted(page, title)).toEqual([
    expect.objectContaining({ imageUrl: expect.stringMatching(/^\/files\//) }),
  ])
})

test('posting waits for the upload of the picture', async ({ createUser, openAs }) => {
  const title = newTitle()
  const page = await openAs(await createUser(), '/post')
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/api/wanted-items/image', async (route) => {
    await arrived
    await route.continue()
  })
  await fillIn(page, title)
  await page.getByLabel('Picture', { exact: true }).setInputFiles(picture)
  await expect(page.getByRole('progressbar', { name: 'Uploading the picture' })).toBeVisible()
  await send(page)
  await expect(page.getByRole('button', { name: 'Post Request' })).toHaveAttribute('aria-busy', 'true')
  expect(await findPosted(page, title)).toEqual([])
  arrive()
  await expect(page).toHaveURL('/')
  expect(await findPosted(page, title)).toEqual([
    expect.objectContaining({ imageUrl: expect.stringMatching(/^\/files\//) }),
  ])
})

test('a draft survives a reload, belongs to its user, and is deleted after posting', async ({
  createUser,
  openAs,
}) => {
  const title = newTitle()
  const page = await openAs(await createUser(), '/post')
  await expect(page.getByRole('button', { name: 'Start Over' })).toHaveCount(0)
  await fillIn(page, title)
  await page.getByLabel('Maximum budget').fill('75')
  await page.getByLabel('Flexible timing').check()
  await page.getByLabel('Picture', { exact: true }).setInputFiles(picture)
  await expect(page.getByText('Uploaded')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Title')).toHaveValue(title)
  await expect(page.getByLabel('Category')).toHaveValue('Music')
  await expect(page.getByLabel('Description')).toHaveValue('Hums quietly, glows warmly.')
  await expect(page.getByLabel('Location')).toHaveValue('Penang')
  await expect(page.getByLabel('Maximum budget')).toHaveValue('75')
  await expect(page.getByLabel('Flexible timing')).toBeChecked()
  await expect(page.getByText('Your picture')).toBeVisible()

  // Another user of the same computer starts with an empty form.
  const draft = await page.context().storageState()
  const other = await openAs(await createUser('Grace'), '/post', {
    storageState: { cookies: [], origins: draft.origins },
  })
  await expect(other.getByLabel('Title')).toHaveValue('')

  await send(page)
  await expect(page).toHaveURL('/')
  await page.goto('/post')
  await expect(page.getByLabel('Title')).toHaveValue('')
  await expect(page.getByLabel('Category')).toHaveValue('')
})

test('starting over clears the draft, and can be undone', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/post')
  await page.getByLabel('Title').fill('A lamp')
  await page.getByLabel('Category').selectOption('Music')
  await page.getByRole('button', { name: 'Start Over' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('')
  await expect(page.getByLabel('Title')).toBeFocused()
  await expect(page.getByLabel('Category')).toHaveValue('')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('A lamp')
  await expect(page.getByLabel('Category')).toHaveValue('Music')
})

test('the hero opens the form as a dialog, and closing it keeps the draft', async ({
  createUser,
  openAs,
}) => {
  const title = newTitle()
  const page = await openAs(await createUser(), '/')
  const opener = page.getByRole('main').getByRole('button', { name: 'Post Your Request' })
  const dialog = page.getByRole('dialog', { name: 'Post a Request' })
  await opener.click()
  await fillIn(dialog, title)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Title')).toHaveValue(title)
  await send(dialog)
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL('/')
  await expect(toast(page)).toContainText('Success!')
  const [item] = await findPosted(page, title)
  await toast(page).getByRole('button', { name: 'View It' }).click()
  await expect(page).toHaveURL(`/item/${item?.id}`)
})

test('after an expired session, signing in again restores the draft', async ({ createUser, openAs }) => {
  const { email, password, ...person } = await createUser()
  const page = await openAs({ ...person, email, password }, '/post')
  await fillIn(page, 'A lamp')
  await page.context().clearCookies()
  await send(page)
  await expect(toast(page)).toContainText('Login Required')
  await expect(page).toHaveURL('/')
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/post')
  await expect(page.getByLabel('Title')).toHaveValue('A lamp')
})
