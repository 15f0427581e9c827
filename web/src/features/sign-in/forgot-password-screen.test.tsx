import { forgotPassword } from '@sought/contract/security'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, dropConnection, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'

async function submitEmail() {
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await userEvent.click(screen.getByRole('button', { name: 'Email Me a Link' }))
}

test('after the link is sent, another address can be tried', async () => {
  const server = openScreen('/forgot-password', { answers: [answer(forgotPassword, { ok: true })] })
  await submitEmail()
  expect(await screen.findByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent(
    'If there is an account for ada@example.com, a link to set a new password is on its way.',
  )
  expect(server.requestsTo(forgotPassword)).toEqual([{ body: { email: 'ada@example.com' } }])
  await userEvent.click(screen.getByRole('button', { name: 'Try Another Address' }))
  expect(screen.getByLabelText('Email')).toBeVisible()
})

test('an invalid address is shown at its field', async () => {
  openScreen('/forgot-password')
  await userEvent.type(await screen.findByLabelText('Email'), 'ada')
  await userEvent.click(screen.getByRole('button', { name: 'Email Me a Link' }))
  await waitFor(() =>
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Invalid email address'),
  )
  expect(screen.getByLabelText('Email')).toHaveFocus()
})

test('after too many attempts, the server’s message is shown', async () => {
  openScreen('/forgot-password', { answers: [refuse(forgotPassword, 'too_many')] })
  await submitEmail()
  expect(await screen.findByText(/Too many/)).toBeVisible()
})

test('without a connection the user is asked to try again', async () => {
  openScreen('/forgot-password', { answers: [dropConnection(forgotPassword)] })
  await submitEmail()
  expect(await screen.findByText('The link could not be sent. Please try again.')).toBeVisible()
})
