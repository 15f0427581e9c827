import { listCategories, listOwnWantedItems, listWantedItems } from '@sought/contract/requests'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aRequest, aUser } from '../../testing/samples.ts'

const categories = answer(listCategories, [])
const noRequests = [categories, answer(listWantedItems, [])]

test('a search without results says so and offers to post a request', async () => {
  openScreen('/?search=qqqqqqqqqqqq', { answers: noRequests })
  expect(await screen.findByRole('heading', { name: 'No requests found' })).toBeVisible()
  for (const link of screen.getAllByRole('link', { name: 'Post Your Request' })) {
    expect(link).toHaveAttribute('href', '/login')
  }
  expect(screen.queryByRole('region', { name: 'Urgent Requests' })).not.toBeInTheDocument()
})

test('a user whose requests are the only ones is told so', async () => {
  openScreen('/', { user: aUser(), answers: [...noRequests, answer(listOwnWantedItems, [aRequest()])] })
  expect(await screen.findByRole('heading', { name: 'No other requests available' })).toBeVisible()
})

test('eight placeholders stand in for the requests, and a failure can be retried', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const server = openScreen('/', {
    answers: [
      categories,
      {
        call: listWantedItems,
        respond: async () => {
          await released
          return new Response('', { status: 429 })
        },
      },
    ],
  })
  await waitFor(() => {
    const placeholders = screen.getAllByRole('status', { name: 'Loading requests' })
    expect(placeholders.at(-1)?.children).toHaveLength(8)
  })
  release()
  expect(await screen.findByText('Failed to fetch wanted items')).toBeVisible()
  server.add(answer(listWantedItems, [aRequest()]))
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('region', { name: 'Recent Requests' })).toBeVisible()
})
