import { getCurrentUser } from '@sought/contract/accounts'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createFakeServer } from '../testing/fake-server.ts'
import { App } from './app.tsx'

test('the page shows Loading... until it is known who is signed in', async () => {
  const { promise: asked, resolve: respond } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', createFakeServer({ call: getCurrentUser, respond: () => asked }).fetch)
  window.history.replaceState(null, '', '/privacy-policy')
  render(<App />)
  expect(await screen.findByText('Loading...')).toBeVisible()
  expect(screen.queryByRole('banner')).not.toBeInTheDocument()
  respond(Response.json({ code: 'signed_out', message: '' }, { status: 401 }))
  expect(await screen.findByRole('banner')).toBeVisible()
})
