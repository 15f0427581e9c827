import { listCategories, listWantedItems, postWantedItem } from '@sought/contract/requests'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/samples.ts'

const openPost = (...answers: Answer[]) => openScreen('/post', { user: aUser(), answers })

async function fillIn(): Promise<void> {
  await userEvent.type(await screen.findByLabelText('Title'), 'A lamp')
  await userEvent.selectOptions(screen.getByLabelText('Category'), 'Music')
  await userEvent.type(screen.getByLabelText('Location'), 'Penang')
  await userEvent.type(screen.getByLabelText('Description'), 'Hums quietly, glows warmly.')
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Post Request' }))

async function replace(label: RegExp, value: string): Promise<void> {
  await userEvent.clear(screen.getByLabelText(label))
  await userEvent.type(screen.getByLabelText(label), value)
}

test('a minimum above the maximum is an error at the minimum, until either changes', async () => {
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
  await userEvent.type(address, 'javascript:alert(1)')
  await submit()
  await waitFor(() => expect(address).toHaveAccessibleDescription(/Must be a web address/))
})

test('a file that is not an image, or too large, is refused with a toast', async () => {
  openPost()
  const field = await screen.findByLabelText('Picture')
  expect(field).toHaveAccessibleDescription('PNG, JPG, GIF or WebP up to 10MB')
  const user = userEvent.setup({ applyAccept: false })
  await user.upload(field, new File(['lamp'], 'list.txt', { type: 'text/plain' }))
  expect(await screen.findByText('Invalid file type')).toBeVisible()
  expect(screen.getByText('Please upload an image file (JPG, PNG, etc.)')).toBeVisible()
  const large = new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'large.png', { type: 'image/png' })
  await user.upload(screen.getByLabelText('Picture'), large)
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

test('an error of the server about a field is shown at that field', async () => {
  openPost(refuse(postWantedItem, 'invalid', [{ path: 'location', message: 'No such place' }]))
  await fillIn()
  await submit()
  await waitFor(() => expect(screen.getByLabelText('Location')).toHaveAccessibleDescription('No such place'))
  expect(screen.getByText('Failed to post your wanted item. Please try again.')).toBeVisible()
})

test('for visitors, the hero links to the sign-in', async () => {
  openScreen('/', { answers: [answer(listCategories, []), answer(listWantedItems, [])] })
  const [link] = await screen.findAllByRole('link', { name: 'Post Your Request' })
  expect(link).toHaveAttribute('href', '/login')
})
