import { getCurrentUser } from '@sought/contract/accounts'
import { PAGE_DATA_ID } from '@sought/contract/constants'
import { getConfig } from '@sought/contract/platform'
import { render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readPageData } from '../data/page-data.ts'
import { createQueryClient } from '../data/query-client.ts'
import { createFakeServer } from '../testing/fake-server.ts'
import { aConfig } from '../testing/samples.ts'
import { App } from './app.tsx'

test('the page shows Loading... until the signed-in user is known', async () => {
  const { promise: asked, resolve: respond } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', createFakeServer({ call: getCurrentUser, respond: () => asked }).fetch)
  window.history.replaceState(null, '', '/privacy-policy')
  render(<App cache={createQueryClient()} />)
  expect(await screen.findByText('Loading...')).toBeVisible()
  expect(screen.queryByRole('banner')).not.toBeInTheDocument()
  respond(Response.json({ code: 'signed_out', message: '' }, { status: 401 }))
  expect(await screen.findByRole('banner')).toBeVisible()
})

test('a page that contains the signed-in user is shown without asking the server', async () => {
  const server = createFakeServer()
  vi.stubGlobal('fetch', server.fetch)
  const element = document.createElement('script')
  element.id = PAGE_DATA_ID
  element.type = 'application/json'
  element.textContent = JSON.stringify([
    [[getConfig.path], aConfig()],
    [[getCurrentUser.path], null],
  ])
  document.head.append(element)
  onTestFinished(() => element.remove())
  window.history.replaceState(null, '', '/privacy-policy')
  const cache = createQueryClient()
  readPageData(cache)
  render(<App cache={cache} />)
  expect(screen.getByRole('banner')).toBeVisible()
  expect(await screen.findByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeVisible()
  expect(server.unanswered).toEqual([])
})
