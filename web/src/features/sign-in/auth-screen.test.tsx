import { signIn, signUp } from '@sought/contract/accounts'
import { getConfig } from '@sought/contract/platform'
import { listCategories, listOwnWantedItems, listWantedItems } from '@sought/contract/requests'
import { giveSecondFactor } from '@sought/contract/second-factors'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { enterText } from '../../testing/enter-text.ts'
import { answer, neverAnswer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aConfig, aUser } from '../../testing/samples.ts'

test.each([
  ['/auth', 'Welcome back'],
  ['/login', 'Welcome back'],
  ['/signup', 'Create your account'],
])('%s shows "%s" and a link to Google', async (path, heading) => {
  openScreen(path)
  expect(await screen.findByRole('heading', { name: heading })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Continue with Google' })).toHaveAttribute(
    'href',
    '/api/auth/google',
  )
})

test('switching between sign-in and sign-up clears the form', async () => {
  openScreen('/auth')
  await enterText(await screen.findByLabelText('Email'), 'ada@example.com')
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
  expect(screen.getByLabelText('Email')).toHaveValue('')
  await enterText(screen.getByLabelText('Email'), 'ada@example.com')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(screen.getByLabelText('Email')).toHaveValue('')
})

test('an invalid sign-up shows each mistake at its field and focuses the first', async () => {
  openScreen('/signup')
  await userEvent.type(await screen.findByLabelText('Password'), '12345')
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  for (const [label, message] of [
    ['First name', 'First name is required'],
    ['Last name', 'Last name is required'],
    ['Email', 'Invalid email address'],
    ['Password', 'Password must be at least 6 characters long'],
  ] as const) {
    await waitFor(() => expect(screen.getByLabelText(label)).toHaveAccessibleDescription(new RegExp(message)))
  }
  expect(screen.getByLabelText('First name')).toHaveFocus()
})

test('a sign-in with wrong credentials shows a toast, and an error that stays until the next attempt', async () => {
  const server = openScreen('/auth', { answers: [refuse(signIn, 'wrong_credentials')] })
  await enterText(await screen.findByLabelText('Email'), 'nobody@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'guess')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByText('Sign in failed')).toBeVisible()
  expect(screen.getByText('Please check your credentials')).toBeVisible()
  const form = within(screen.getByRole('form', { name: 'Sign in' }))
  expect(form.getByRole('alert')).toHaveTextContent('The email or the password is wrong.')
  await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus())
  expect(screen.getByLabelText('Email')).toHaveValue('nobody@example.com')
  await enterText(screen.getByLabelText('Password'), 'another guess')
  expect(form.getByRole('alert')).toBeVisible()
  server.add(neverAnswer(signIn))
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(form.queryByRole('alert')).not.toBeInTheDocument())
})

test('a sign-up with an email that is already taken shows a toast', async () => {
  openScreen('/signup', { answers: [refuse(signUp, 'email_taken')] })
  await userEvent.type(await screen.findByLabelText('First name'), 'Ada')
  await enterText(screen.getByLabelText('Last name'), 'Lovelace')
  await enterText(screen.getByLabelText('Email'), 'ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(await screen.findByText('Sign up failed')).toBeVisible()
})

test.each(['/auth', '/auth?returnTo=//evil.example'])(
  'signed-in users who open %s are sent home',
  async (path) => {
    openScreen(path, {
      user: aUser(),
      answers: [neverAnswer(listWantedItems), neverAnswer(listOwnWantedItems), neverAnswer(listCategories)],
    })
    await waitFor(() => expect(window.location.href).toBe(new URL('/', window.location.origin).href))
  },
)

test('a failed Google sign-in shows its error', async () => {
  openScreen('/auth?error=google_unavailable')
  expect(await screen.findByRole('alert')).toHaveTextContent('Google sign-in is not available')
})

test('the sign-in screen offers the demo users', async () => {
  const demo = { role: 'Admin', email: 'admin@example.com', password: 'demo-admin' }
  const server = openScreen('/auth?returnTo=/privacy-policy', {
    answers: [answer(getConfig, aConfig({ demoSignIns: [demo] })), answer(signIn, aUser())],
  })
  expect(await screen.findByText('Test mode: look around as')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Admin' }))
  await waitFor(() => expect(window.location.pathname).toBe('/privacy-policy'))
  expect(server.requestsTo(signIn)).toEqual([{ body: { email: demo.email, password: demo.password } }])
})

test('an account with a second factor needs a code after the password', async () => {
  const server = openScreen('/auth?returnTo=/privacy-policy', {
    answers: [answer(signIn, { secondFactors: ['totp'] }), refuse(giveSecondFactor, 'wrong_code')],
  })
  await enterText(await screen.findByLabelText('Email'), 'ada@example.com')
  await enterText(screen.getByLabelText('Password'), 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByRole('heading', { name: 'One more step' })).toBeVisible()
  const code = screen.getByLabelText('Code')
  await userEvent.type(code, '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(code).toHaveAccessibleDescription(/This code is wrong/))
  server.add(answer(giveSecondFactor, aUser()))
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(window.location.pathname).toBe('/privacy-policy'))
  expect(server.requestsTo(giveSecondFactor).at(-1)).toEqual({ body: { code: '123456' } })
})

test('a second factor is required after Google too, and an expired sign-in starts again', async () => {
  openScreen('/auth?secondFactors=totp', { answers: [refuse(giveSecondFactor, 'sign_in_expired')] })
  await userEvent.type(await screen.findByLabelText('Code'), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeVisible()
  expect(screen.getByText('Your sign-in has expired. Please sign in again.')).toBeVisible()
})
