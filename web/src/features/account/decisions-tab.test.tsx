import { appealDecision, listOwnDecisions, type OwnDecision } from '@sought/contract/moderation'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { answer, dropConnection, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/samples.ts'

const user = userEvent.setup()

function aDecision(changes: Partial<z.input<typeof OwnDecision>> = {}): z.input<typeof OwnDecision> {
  return {
    id: 4,
    action: 'hide',
    kind: 'request',
    about: 'A green lamp',
    reason: 'It is a copy.',
    until: null,
    isUndone: false,
    // Noon of the same day in every time zone.
    createdAt: new Date(2026, 10, 15, 12).toISOString(),
    appeal: null,
    ...changes,
  }
}

const openDecisions = (...decisions: z.input<typeof OwnDecision>[]) =>
  openScreen('/profile?tab=decisions', { user: aUser(), answers: [answer(listOwnDecisions, decisions)] })

const findRows = async () =>
  within(await screen.findByRole('list', { name: 'Decisions' })).getAllByRole('listitem')

test('the tab without decisions shows a message', async () => {
  openDecisions()
  expect(await screen.findByText('No decisions')).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Decisions' })).toHaveAttribute('aria-selected', 'true')
})

test('each decision shows what was decided, about what, why and until when', async () => {
  const until = new Date(2126, 10, 22, 12).toISOString()
  openDecisions(
    aDecision({ id: 6, action: 'suspend', kind: 'message', about: null, until, reason: 'Fraud.' }),
    aDecision({ id: 5, action: 'restrict' }),
    aDecision(),
  )
  const [suspended, restricted, hidden] = await findRows()
  expect(suspended).toHaveTextContent(
    'Account suspendedNovember 15, 2026We suspended your account until November 22, 2126 because of your message.',
  )
  expect(suspended).toHaveTextContent('Reason: Fraud.')
  expect(restricted).toHaveTextContent('We restricted your account permanently')
  expect(hidden).toHaveTextContent('We removed your request “A green lamp”. Other people no longer see it.')
})

test('users appeal once, and see the outcome', async () => {
  const server = openDecisions(aDecision())
  await user.click(await screen.findByRole('button', { name: 'Appeal' }))
  await user.click(screen.getByRole('button', { name: 'Send Appeal' }))
  expect(screen.getByText('Please say why')).toBeVisible()
  await user.type(screen.getByLabelText('Why is this decision wrong?'), ' It is real. ')
  const appeal = {
    text: 'It is real.',
    createdAt: '2026-11-16T12:00:00.000Z',
    outcome: 'open',
    answer: null,
  } as const
  server.add(answer(appealDecision, aDecision({ appeal })), answer(listOwnDecisions, [aDecision({ appeal })]))
  await user.click(screen.getByRole('button', { name: 'Send Appeal' }))
  const sent = await screen.findByRole('region', { name: 'Your appeal' })
  expect(sent).toHaveTextContent('Under review')
  expect(sent).toHaveTextContent('It is real.')
  expect(screen.queryByRole('button', { name: 'Appeal' })).not.toBeInTheDocument()
  expect(server.requestsTo(appealDecision)).toEqual([{ params: { id: '4' }, body: { text: 'It is real.' } }])
})

test('the outcome of an appeal is shown with the answer of the moderator', async () => {
  const appeal = { text: 'It is real.', createdAt: '2026-11-16T12:00:00.000Z' }
  openDecisions(
    aDecision({ id: 5, isUndone: true, appeal: { ...appeal, outcome: 'granted', answer: 'You are right.' } }),
    aDecision({ appeal: { ...appeal, outcome: 'rejected', answer: 'It is not.' } }),
  )
  const [granted, rejected] = await findRows()
  expect(granted).toHaveTextContent('No longer applies')
  expect(granted).toHaveTextContent('Granted')
  expect(granted).toHaveTextContent('Our answer: You are right.')
  expect(rejected).toHaveTextContent('Rejected')
  expect(rejected).toHaveTextContent('Our answer: It is not.')
})

test('a refused appeal keeps its text', async () => {
  const server = openDecisions(aDecision())
  server.add(refuse(appealDecision, 'already_appealed'))
  await user.click(await screen.findByRole('button', { name: 'Appeal' }))
  await user.type(screen.getByLabelText('Why is this decision wrong?'), 'Again')
  await user.click(screen.getByRole('button', { name: 'Send Appeal' }))
  expect(await screen.findByText('You have already appealed against this decision.')).toBeVisible()
  expect(screen.getByLabelText('Why is this decision wrong?')).toHaveValue('Again')
})

test('decisions that failed to load can be loaded again', async () => {
  const server = openScreen('/profile?tab=decisions', {
    user: aUser(),
    answers: [dropConnection(listOwnDecisions)],
  })
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  server.add(answer(listOwnDecisions, []))
  await user.click(retry)
  expect(await screen.findByText('No decisions')).toBeVisible()
})

test('decisions that were undone without an appeal cannot be appealed', async () => {
  openDecisions(aDecision({ isUndone: true }))
  const [undone] = await findRows()
  expect(undone).toHaveTextContent('No longer applies')
  expect(screen.queryByRole('button', { name: 'Appeal' })).not.toBeInTheDocument()
})
