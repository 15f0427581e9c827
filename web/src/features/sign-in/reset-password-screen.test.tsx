import { resetPassword } from '@sought/contract/security'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const openLink = (...answers: Answer[]) => openScreen('/reset-password?token=abc', { answers })

const submit = async (password: string) =>
  userEvent.type(await screen.findByLabelText('New password'), `${password}{Enter}`)

test('a short password is refused, and a longer one is saved', async () => {
  const server = openLink(answer(resetPassword, { ok: true }))
  await submit('12345')
  await waitFor(() =>
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(
      /Password must be at least 6 characters long/,
    ),
  )
  expect(server.requestsTo(resetPassword)).toEqual([])
  await submit('6')
  expect(await screen.findByRole('heading', { name: 'Password changed' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth')
  expect(server.requestsTo(resetPassword)).toEqual([{ body: { token: 'abc', newPassword: '123456' } }])
})

test('a used or expired link leads to requesting a new one', async () => {
  openLink(refuse(resetPassword, 'link_expired'))
  await submit('battery staple')
  expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Request a New Link' })).toHaveAttribute('href', '/forgot-password')
})
