import { getCurrentUser, signIn, signUp } from '@sought/contract/accounts'
import { listPlaces } from '@sought/contract/places'
import { getConfig } from '@sought/contract/platform'
import { acceptPolicy, listPoliciesToAccept } from '@sought/contract/policies'
import {
  getWantedItem,
  listCategories,
  listWantedItems,
  postWantedItem,
  uploadItemImage,
} from '@sought/contract/requests'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { navigate } from 'wouter/use-browser-location'
import { enterText } from '../../testing/enter-text.ts'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aConfig, aRequest, aUser, theCurrencies } from '../../testing/samples.ts'

const penang = { name: 'George Town, Penang, Malaysia', latitude: 5.41, longitude: 100.34 }

const home = [
  answer(listCategories, []),
  answer(listWantedItems, [aRequest()]),
  answer(listPlaces, ({ query: { search } }) => (search === 'Penang' ? [penang] : [])),
]

const openPostAt = (path: string, ...answers: Answer[]) =>
  openScreen(path, { user: aUser(), answers: [...home, ...answers] })

const openPost = (...answers: Answer[]) => openPostAt('/post', ...answers)

const picture = new File(['picture'], 'amp.png', { type: 'image/png' })

const choosePicture = async () => userEvent.upload(await screen.findByLabelText('Pictures'), picture)

const waitForHome = () => waitFor(() => expect(window.location.pathname).toBe('/'))

async function fillIn(): Promise<void> {
  await userEvent.type(await screen.findByLabelText('Title'), 'A lamp')
  await userEvent.selectOptions(screen.getByLabelText('Category'), 'Music')
  await userEvent.type(screen.getByLabelText('Location'), 'Penang')
  await enterText(screen.getByLabelText('Description'), 'Hums quietly, glows warmly.')
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Post Request' }))

async function replace(label: RegExp, value: string): Promise<void> {
  await userEvent.clear(screen.getByLabelText(label))
  await enterText(screen.getByLabelText(label), value)
}

test('places are suggested for the location, also by keyboard, and any text is allowed', {
  tags: ['proof'],
}, async () => {
  openPost()
  await fillIn()
  const location = screen.getByRole('combobox', { name: 'Location' })
  await userEvent.type(location, '{Backspace}g')
  const suggestion = await screen.findByRole('option', { name: penang.name })
  await userEvent.keyboard('{ArrowDown}')
  expect(location).toHaveAttribute('aria-activedescendant', suggestion.id)
  await userEvent.keyboard('{Escape}')
  expect(location).toHaveValue('Penang')
  expect(location).toHaveAttribute('aria-expanded', 'false')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(location).toHaveValue(penang.name)
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  await userEvent.clear(location)
  await userEvent.type(location, 'Penang')
  await userEvent.click(await screen.findByRole('option', { name: penang.name }))
  expect(location).toHaveValue(penang.name)
  expect(location).toHaveFocus()
})

test('a minimum above the maximum is an error at the minimum, until one of them changes', async () => {
  openPost()
  await fillIn()
  const minimum = screen.getByLabelText(/Minimum budget/)
  await replace(/Minimum budget/, '300')
  await replace(/Maximum budget/, '200')
  expect(minimum).toHaveAccessibleDescription('')
  await submit()
  const error = 'The minimum is above the maximum'
  await waitFor(() => expect(minimum).toHaveAccessibleDescription(error))
  await replace(/Maximum budget/, '400')
  await waitFor(() => expect(minimum).toHaveAccessibleDescription(''))
  await replace(/Minimum budget/, '500')
  await waitFor(() => expect(minimum).toHaveAccessibleDescription(error))
  await replace(/Maximum budget/, '0')
  await waitFor(() => expect(minimum).toHaveAccessibleDescription(''))
})

test('a picture address that a browser could execute is refused', async () => {
  openPost()
  await fillIn()
  const address = screen.getByLabelText('Or a link to a picture')
  await enterText(address, 'javascript:alert(1)')
  await submit()
  await waitFor(() => expect(address).toHaveAccessibleDescription(/Must be a web address/))
})

test('a file that is not an image, or too large, is refused with a toast', async () => {
  openPost()
  const field = await screen.findByLabelText('Pictures')
  expect(field).toHaveAccessibleDescription('Up to 6. PNG, JPG, GIF or WebP up to 10MB')
  const user = userEvent.setup({ applyAccept: false })
  await user.upload(field, new File(['lamp'], 'list.txt', { type: 'text/plain' }))
  expect(await screen.findByText('Invalid file type')).toBeVisible()
  expect(screen.getByText('Please upload an image file (JPG, PNG, etc.)')).toBeVisible()
  const large = new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'large.png', { type: 'image/png' })
  await user.upload(screen.getByLabelText('Pictures'), large)
  expect(await screen.findByText('File Too Large')).toBeVisible()
})

test('a server error shows a toast and keeps the draft', async () => {
  openPost({ call: postWantedItem, respond: () => new Response('', { status: 500 }) })
  await fillIn()
  await submit()
  expect(await screen.findByText('Failed to post your wanted item. Please try again.')).toBeVisible()
  expect(window.location.pathname).toBe('/post')
  expect(screen.getByLabelText('Title')).toHaveValue('A lamp')
})

test('a field error of the server is shown at that field', async () => {
  openPost(refuse(postWantedItem, 'invalid', [{ path: 'location', message: 'No such place' }]))
  await fillIn()
  await submit()
  await waitFor(() => expect(screen.getByLabelText('Location')).toHaveAccessibleDescription('No such place'))
  expect(screen.getByText('Failed to post your wanted item. Please try again.')).toBeVisible()
})

test('missing fields show errors, which disappear on typing, and the first is focused', async () => {
  openPost()
  await userEvent.type(await screen.findByLabelText('Title'), '{Enter}')
  for (const label of ['Title', 'Category', 'Location', 'Description']) {
    await waitFor(() =>
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription(`${label} is required`),
    )
  }
  expect(screen.getByLabelText('Title')).toHaveFocus()
  await userEvent.keyboard('A')
  await waitFor(() => expect(screen.getByLabelText('Title')).toHaveAccessibleDescription(''))
})

test('a budget must be a number', async () => {
  openPost()
  await fillIn()
  await userEvent.type(screen.getByLabelText(/Minimum budget/), 'some{Enter}')
  await waitFor(() =>
    expect(screen.getByLabelText(/Minimum budget/)).toHaveAccessibleDescription('Must be a number'),
  )
  expect(screen.getByLabelText(/Minimum budget/)).toHaveFocus()
})

test('missing budgets mean an open budget, and a picture link is kept unchanged', async () => {
  const server = openPost(answer(postWantedItem, aRequest()))
  await fillIn()
  await enterText(screen.getByLabelText('Or a link to a picture'), 'https://example.com/amp.jpg')
  await submit()
  await waitForHome()
  expect(server.requestsTo(postWantedItem)).toEqual([
    {
      body: {
        title: 'A lamp',
        category: 'Music',
        location: 'Penang',
        description: 'Hums quietly, glows warmly.',
        minBudget: 0,
        maxBudget: 0,
        urgency: 'medium',
        images: [{ url: 'https://example.com/amp.jpg', alt: '' }],
      },
    },
  ])
})

test('a picture that the server refuses can only be removed', async () => {
  openPost(refuse(uploadItemImage, 'not_an_image'))
  await choosePicture()
  expect(await screen.findByText('Please upload an image file (JPG, PNG, etc.)')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try Again' })).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Remove Picture' }))
  await waitFor(() => expect(screen.getByLabelText('Pictures')).toHaveFocus())
})

test('a failed upload blocks posting until it is retried', async () => {
  const server = openPost(answer(postWantedItem, aRequest()), {
    call: uploadItemImage,
    respond: () => new Response('', { status: 429 }),
  })
  await fillIn()
  await choosePicture()
  expect(await screen.findByText('The picture could not be uploaded.')).toBeVisible()
  await submit()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Try Again' })).toHaveFocus())
  expect(server.requestsTo(postWantedItem)).toEqual([])
  server.add(answer(uploadItemImage, { imageUrl: '/files/amp.webp' }))
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('Uploaded')).toBeVisible()
  await submit()
  await waitForHome()
  expect(server.requestsTo(postWantedItem)).toMatchObject([
    { body: { images: [{ url: '/files/amp.webp', alt: '' }] } },
  ])
})

test('posting waits for the upload of the picture', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const server = openPost(answer(postWantedItem, aRequest()), {
    call: uploadItemImage,
    respond: async () => {
      await arrived
      return Response.json({ imageUrl: '/files/amp.webp' }, { status: 201 })
    },
  })
  await fillIn()
  await choosePicture()
  expect(await screen.findByRole('progressbar', { name: 'Uploading the picture' })).toBeVisible()
  await submit()
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Post Request' })).toHaveAttribute('aria-busy', 'true'),
  )
  expect(server.requestsTo(postWantedItem)).toEqual([])
  arrive()
  await waitForHome()
  expect(server.requestsTo(postWantedItem)).toMatchObject([
    { body: { images: [{ url: '/files/amp.webp', alt: '' }] } },
  ])
})

test('up to six pictures can be chosen, pasted and linked, described, sorted and removed', async () => {
  let uploaded = 0
  const server = openPost(answer(postWantedItem, aRequest()), {
    call: uploadItemImage,
    respond: () => Response.json({ imageUrl: `/files/${++uploaded}.webp` }, { status: 201 }),
  })
  await fillIn()
  await choosePicture()
  const picturesShown = () => screen.queryAllByRole('listitem', { name: /^Picture/ })
  const controls = (place: number) => within(picturesShown()[place - 1] as HTMLElement)
  await waitFor(() => expect(controls(1).getByText('Uploaded')).toBeVisible())
  await userEvent.paste({ files: [picture], types: ['Files'], getData: () => '' } as unknown as DataTransfer)
  await waitFor(() => expect(controls(2).getByText('Uploaded')).toBeVisible())
  await enterText(screen.getByLabelText('Or a link to a picture'), 'https://example.com/amp.jpg')
  await userEvent.click(screen.getByRole('button', { name: 'Add Link' }))
  await waitFor(() => expect(controls(3).getByText('example.com')).toBeVisible())
  expect(screen.getByLabelText('Or a link to a picture')).toHaveValue('')

  await enterText(controls(2).getByLabelText('Alt text'), 'From behind')
  expect(controls(1).getByRole('button', { name: 'Move left' })).toBeDisabled()
  await userEvent.click(controls(2).getByRole('button', { name: 'Move right' }))
  expect(controls(3).getByLabelText('Alt text')).toHaveValue('From behind')
  await waitFor(() => expect(controls(3).getByRole('button', { name: 'Move left' })).toHaveFocus())
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(controls(2).getByLabelText('Alt text')).toHaveValue('From behind'))
  await userEvent.click(controls(1).getByRole('button', { name: 'Remove Picture' }))
  await waitFor(() => expect(screen.getByLabelText('Pictures')).toHaveFocus())

  await userEvent.upload(screen.getByLabelText('Pictures'), Array(5).fill(picture))
  expect(
    await screen.findByText('A request has at most 6 pictures. The others were not added.'),
  ).toBeVisible()
  expect(picturesShown()).toHaveLength(6)
  expect(screen.queryByLabelText('Pictures')).not.toBeInTheDocument()
  await submit()
  await waitForHome()
  const [{ body } = { body: null }] = server.requestsTo(postWantedItem)
  expect(body).toMatchObject({
    images: [
      { url: '/files/2.webp', alt: 'From behind' },
      { url: 'https://example.com/amp.jpg', alt: '' },
      ...[3, 4, 5, 6].map((at) => ({ url: `/files/${at}.webp`, alt: '' })),
    ],
  })
})

test('a draft survives a reload, is private to its user, and is deleted after posting', async () => {
  openPost(answer(uploadItemImage, { imageUrl: '/files/amp.webp' }))
  await screen.findByLabelText('Title')
  expect(screen.queryByRole('button', { name: 'Start Over' })).not.toBeInTheDocument()
  await fillIn()
  await userEvent.type(screen.getByLabelText(/Maximum budget/), '75')
  await userEvent.click(screen.getByLabelText(/Flexible timing/))
  await choosePicture()
  expect(await screen.findByText('Uploaded')).toBeVisible()
  cleanup()
  openPost(answer(postWantedItem, aRequest()))
  expect(await screen.findByLabelText('Title')).toHaveValue('A lamp')
  expect(screen.getByLabelText('Category')).toHaveValue('Music')
  expect(screen.getByLabelText('Description')).toHaveValue('Hums quietly, glows warmly.')
  expect(screen.getByLabelText('Location')).toHaveValue('Penang')
  expect(screen.getByLabelText(/Maximum budget/)).toHaveValue('75')
  expect(screen.getByLabelText(/Flexible timing/)).toBeChecked()
  expect(screen.getByText('Your picture')).toBeVisible()
  cleanup()

  openScreen('/post', { user: aUser({ id: 'somebody-else' }) })
  expect(await screen.findByLabelText('Title')).toHaveValue('')
  cleanup()

  openPost(answer(postWantedItem, aRequest()))
  await screen.findByLabelText('Title')
  await submit()
  await waitForHome()
  act(() => navigate('/post'))
  expect(await screen.findByLabelText('Title')).toHaveValue('')
  expect(screen.getByLabelText('Category')).toHaveValue('')
})

test('starting over clears the draft, and can be undone', async () => {
  openPost()
  await userEvent.type(await screen.findByLabelText('Title'), 'A lamp')
  await userEvent.selectOptions(screen.getByLabelText('Category'), 'Music')
  await userEvent.click(screen.getByRole('button', { name: 'Start Over' }))
  expect(screen.getByLabelText('Title')).toHaveValue('')
  expect(screen.getByLabelText('Title')).toHaveFocus()
  expect(screen.getByLabelText('Category')).toHaveValue('')
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(screen.getByLabelText('Title')).toHaveValue('A lamp')
  expect(screen.getByLabelText('Category')).toHaveValue('Music')
})

test('the hero opens the form as a dialog, and closing it keeps the draft', async () => {
  openScreen('/', { user: aUser(), answers: [...home, answer(postWantedItem, aRequest())] })
  const opener = await screen.findByRole('button', { name: 'Post a Request' })
  await userEvent.click(opener)
  const dialog = await screen.findByRole('dialog', { name: 'Post a Request' })
  await userEvent.type(within(dialog).getByLabelText('Title'), 'A lamp')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  expect(window.location.pathname).toBe('/')
  await userEvent.click(opener)
  expect(await screen.findByLabelText('Title')).toHaveValue('A lamp')
})

test('after an expired session, signing in again restores the draft', async () => {
  openPost(refuse(postWantedItem, 'signed_out'), answer(signIn, aUser()))
  await fillIn()
  await submit()
  expect(await screen.findByText('Login Required')).toBeVisible()
  await waitForHome()
  act(() => navigate('/auth'))
  await enterText(await screen.findByLabelText('Email'), 'ada@example.com')
  await enterText(screen.getByLabelText('Password'), 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByLabelText('Title')).toHaveValue('A lamp')
  expect(window.location.pathname).toBe('/post')
})

test('a new buyer needs three screens from home to a posted request, and home confirms it', async () => {
  const posted = aRequest({ id: 40, title: 'A brass telescope' })
  const server = openScreen('/', {
    answers: [...home, answer(signUp, aUser()), answer(postWantedItem, posted)],
  })
  const [link] = await screen.findAllByRole('link', { name: 'Post a Request' })
  expect(link).toHaveAttribute('href', '/login?returnTo=%2Fpost')
  await userEvent.click(link as HTMLElement)
  await userEvent.click(await screen.findByRole('button', { name: 'Sign up' }))
  expect(screen.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms-of-service')
  expect(screen.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy-policy')
  await userEvent.type(screen.getByLabelText('First name'), 'Ada')
  await userEvent.type(screen.getByLabelText('Last name'), 'Buyer')
  await enterText(screen.getByLabelText('Email'), 'ada@example.com')
  await enterText(screen.getByLabelText('Password'), 'correct horse')
  server.add(answer(getCurrentUser, aUser()))
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  await fillIn()
  expect(window.location.pathname).toBe('/post')
  await submit()
  await waitForHome()
  expect(await screen.findByText('Your request is on the board')).toBeVisible()
  expect(screen.getByText(/A brass telescope/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'View Request' })).toHaveAttribute('href', '/item/40')
  for (const own of screen.getAllByRole('link', { name: 'My Requests' })) {
    expect(own).toHaveAttribute('href', '/my-requests')
  }
})

test('a request is posted again from a prefilled form, and a search becomes the title', async () => {
  const images = [
    { url: '/files/lamp.webp', alt: 'The lamp' },
    { url: 'https://example.com/foot.jpg', alt: '' },
  ]
  const pictures = ['/files/lamp.webp', '/files/foot.webp'].map((url) => ({
    url,
    alt: '',
    width: 4,
    height: 3,
  }))
  const earlier = aRequest({ status: 'closed', images, pictures, imageUrl: '/files/lamp.webp' })
  const server = openPostAt(
    '/post?repost=3',
    answer(getWantedItem, earlier),
    answer(postWantedItem, aRequest()),
  )
  expect(await screen.findByLabelText('Title')).toHaveValue('A green lamp')
  expect(screen.getByLabelText('Description')).toHaveValue('With a brass foot.')
  expect(screen.getByLabelText('Category')).toHaveValue('Home & Garden')
  expect(screen.getByLabelText(/Maximum budget/)).toHaveValue('120')
  expect(screen.getByRole('img', { name: 'The lamp' })).toHaveAttribute('src', '/files/lamp.webp')
  expect(document.querySelector('img[src="/files/foot.webp"]')).toBeVisible()
  await submit()
  await waitForHome()
  expect(server.requestsTo(postWantedItem)).toMatchObject([{ body: { images } }])
  cleanup()
  openPostAt('/post?repost=3', answer(getWantedItem, aRequest({ userId: 'somebody-else' })))
  expect(await screen.findByLabelText('Title')).toHaveValue('')
  cleanup()
  openPostAt('/post?title=A+red+lamp')
  expect(await screen.findByLabelText('Title')).toHaveValue('A red lamp')
})

test('content shared by another app fills the form, also for a visitor who signs in first', async () => {
  const shared = '/post?title=Tape+echo&text=Saw+this+one%3A+https%3A%2F%2Fexample.com%2Fecho'
  openPostAt(shared)
  expect(await screen.findByLabelText('Title')).toHaveValue('Tape echo')
  expect(screen.getByLabelText('Description')).toHaveValue('Saw this one: https://example.com/echo')
  expect(screen.queryByText('Your draft is saved in this browser.')).not.toBeInTheDocument()
  await userEvent.type(screen.getByLabelText('Title'), 's')
  expect(await screen.findByText('Your draft is saved in this browser.')).toBeVisible()
  cleanup()
  localStorage.clear()

  openScreen(shared, { answers: [...home, answer(signIn, aUser())] })
  await waitForHome()
  act(() => navigate('/auth'))
  await enterText(await screen.findByLabelText('Email'), 'ada@example.com')
  await enterText(screen.getByLabelText('Password'), 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByLabelText('Description')).toHaveValue('Saw this one: https://example.com/echo')
})

test('a request that is refused without consent is posted once the new terms are accepted', async () => {
  const toAccept = [
    { policy: 'terms_of_service', version: 2, effectiveFrom: '2026-11-17T00:00:00.000Z' },
    { policy: 'privacy_policy', version: 1, effectiveFrom: '2026-11-17T00:00:00.000Z' },
  ] as const
  const server = openPost(
    refuse(postWantedItem, 'policy_not_accepted'),
    answer(listPoliciesToAccept, [...toAccept]),
    answer(acceptPolicy, { ok: true }),
  )
  await fillIn()
  await submit()
  const first = within(await screen.findByRole('alertdialog', { name: 'Our terms have changed' }))
  expect(await first.findByRole('link', { name: 'Terms of Service' })).toHaveAttribute('target', '_blank')
  expect(first.getByRole('link', { name: 'Privacy Policy' })).toBeVisible()
  await userEvent.click(first.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  expect(server.requestsTo(acceptPolicy)).toEqual([])

  await submit()
  server.add(answer(postWantedItem, aRequest()))
  const second = within(await screen.findByRole('alertdialog', { name: 'Our terms have changed' }))
  await second.findByRole('link', { name: 'Terms of Service' })
  await userEvent.click(second.getByRole('button', { name: 'Accept and Continue' }))
  await waitForHome()
  expect(server.requestsTo(acceptPolicy).map(({ body }) => body)).toEqual([
    { policy: 'terms_of_service', version: 2 },
    { policy: 'privacy_policy', version: 1 },
  ])
})

test('in a market with several currencies, the buyer chooses one, and the next request starts with it', async () => {
  const config = aConfig({ currencies: theCurrencies('usd', 'jpy') })
  const server = openPost(answer(getConfig, config), answer(postWantedItem, aRequest()))
  await fillIn()
  const currency = screen.getByLabelText('Currency')
  expect(currency).toHaveValue('usd')
  await userEvent.selectOptions(currency, 'jpy')
  await enterText(screen.getByLabelText(/Maximum budget/), '12,000')
  expect(screen.getAllByText('¥')).toHaveLength(2)
  await submit()
  await waitForHome()
  expect(server.requestsTo(postWantedItem)[0]).toMatchObject({ body: { currency: 'jpy', maxBudget: 12_000 } })
  cleanup()
  openPost(answer(getConfig, config))
  await waitFor(() => expect(screen.getByLabelText('Currency')).toHaveValue('jpy'))
})

test('a market with one currency does not ask for it', async () => {
  openPost()
  expect(await screen.findByLabelText('Title')).toBeVisible()
  expect(screen.queryByLabelText('Currency')).toBeNull()
})
