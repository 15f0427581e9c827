import { getEmailUndo, undoEmailChange } from '@sought/contract/security'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const path = '/undo-email/7.abc'
const link = (state: 'ready' | 'used' | 'expired') =>
  answer(getEmailUndo, { email: 'ada@example.com', state })

test('opening the link changes nothing; the button restores the address', async () => {
  const server = openScreen(path, { answers: [link('ready'), answer(undoEmailChange, { ok: true })] })
  const button = await screen.findByRole('button', { name: 'Restore My Email' })
  expect(screen.getByText('ada@example.com')).toBeVisible()
  expect(server.requestsTo(undoEmailChange)).toEqual([])
  await userEvent.click(button)
  expect(await screen.findByRole('heading', { name: 'Your email is restored' })).toBeVisible()
  expect(server.requestsTo(undoEmailChange)).toEqual([{ body: { token: '7.abc' } }])
})

test('a link that was used while the page was open shows a message', async () => {
  openScreen(path, { answers: [link('ready'), refuse(undoEmailChange, 'link_expired')] })
  await userEvent.click(await screen.findByRole('button', { name: 'Restore My Email' }))
  expect(await screen.findByRole('heading', { name: 'This link was already used' })).toBeVisible()
})

test.each([
  ['used', 'This link was already used'],
  ['expired', 'This link has expired'],
] as const)('a link that is %s has no button', async (state, title) => {
  openScreen(path, { answers: [link(state)] })
  expect(await screen.findByRole('heading', { name: title })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Restore My Email' })).toBeNull()
})

test('a damaged link shows a message', async () => {
  openScreen(path, { answers: [refuse(getEmailUndo, 'link_expired')] })
  expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeVisible()
})
