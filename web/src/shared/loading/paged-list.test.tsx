import { listTickets } from '@sought/contract/support'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/samples.ts'

const tickets = (ids: number[]) =>
  ids.map((id) => ({
    id,
    topic: 'payments' as const,
    subject: `Question ${id}`,
    status: 'open' as const,
    createdAt: '2026-11-15T12:00:00.000Z',
    updatedAt: '2026-11-15T12:00:00.000Z',
  }))

const firstIds = Array.from({ length: 20 }, (_, index) => 40 - index)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('if the next page fails to load, an error is shown and the first page stays', async () => {
  const server = openScreen('/help/tickets', {
    user: aUser(),
    answers: [answer(listTickets, tickets(firstIds))],
  })
  expect(await screen.findByText('Question 40')).toBeVisible()
  server.add(refuse(listTickets, 'unavailable'))
  await press('Show more')
  expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded')
  expect(screen.getByText('Question 40')).toBeVisible()
  server.add(answer(listTickets, ({ query }) => tickets(query.cursor === undefined ? firstIds : [20, 19])))
  await press('Show more')
  expect(await screen.findByText('Question 19')).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
})
