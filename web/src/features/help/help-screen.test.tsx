import { listPayments } from '@sought/contract/payments'
import {
  createTicket,
  getTicket,
  listTickets,
  replyToTicket,
  type SupportTicket,
} from '@sought/contract/support'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { describeMarket } from '../../shared/policies/policy-figures.ts'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aMarket, aPayment, aUser } from '../../testing/samples.ts'
import { listHelp } from './answers.ts'
import { searchAnswers } from './search-answers.ts'

const user = userEvent.setup()

function aTicket(changes: Partial<z.input<typeof SupportTicket>> = {}): z.input<typeof SupportTicket> {
  return {
    id: 7,
    topic: 'payments',
    subject: 'Where is my money?',
    status: 'answered',
    createdAt: '2026-11-15T12:00:00.000Z',
    updatedAt: '2026-11-15T13:00:00.000Z',
    payment: null,
    messages: [
      { id: 1, from: 'you', content: 'I sold a lamp.', createdAt: '2026-11-15T12:00:00.000Z' },
      { id: 2, from: 'team', content: 'It left today.', createdAt: '2026-11-15T13:00:00.000Z' },
    ],
    ...changes,
  }
}

/** The user's payment for a lamp, as the list returns it. */
function aPair() {
  const { wantedItem, ...payments } = aPayment()
  return { payments, wantedItem, wanted_items: wantedItem }
}

const groups = listHelp(describeMarket(aMarket(), aMarket().fees, 'usd'))

const questionsOf = (search: string) =>
  searchAnswers(groups, search).flatMap(({ answers }) => answers.map(({ id }) => id))

describe('answers', () => {
  test('use the figures of the policies and have unique anchors', () => {
    const answers = groups.flatMap((group) => group.answers)
    expect(new Set(answers.map(({ id }) => id)).size).toBe(answers.length)
    const text = answers.flatMap(({ paragraphs }) => paragraphs).join('\n')
    for (const figure of [
      '2.9% + $0.30',
      '$112.62',
      '7 days',
      '14 days for items of $500',
      '3-5 business days',
    ])
      expect(text).toContain(figure)
    expect(text).not.toMatch(/undefined|NaN/)
    expect(groups.map(({ title }) => title)).toEqual([
      'Buying',
      'Selling',
      'Payments and escrow',
      'Problems and disputes',
      'Account and security',
    ])
  })

  test('are found by all words of the search, in any case', () => {
    expect(questionsOf('PASSWORD forgot')).toEqual(['forgot-password'])
    expect(questionsOf('zebra')).toEqual([])
    expect(questionsOf('  ')).toHaveLength(groups.flatMap(({ answers }) => answers).length)
  })
})

test('that match the search are shown, and a few are opened at once', async () => {
  openScreen('/help')
  const search = await screen.findByRole('searchbox', { name: 'Search the answers' })
  expect(screen.getByText('How do I post a request?').closest('details')).not.toHaveAttribute('open')
  await user.type(search, 'forgot password')
  expect(screen.getByRole('status')).toHaveTextContent('1 answer')
  expect(screen.getByText('I forgot my password.').closest('details')).toHaveAttribute('open')
  expect(screen.queryByText('How do I post a request?')).not.toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Reset your password' })).toHaveAttribute(
    'href',
    '/forgot-password',
  )
  await user.type(search, ' zebra')
  expect(screen.getByRole('heading', { name: 'No answer found' })).toBeVisible()
  expect(screen.getByRole('form', { name: 'Contact us' })).toBeVisible()
})

test('are opened by a link to them', async () => {
  openScreen('/help#card-declined')
  const question = await screen.findByText('Why was my card declined?')
  expect(question.closest('details')).toHaveAttribute('open')
})

test('a visitor enters an address and sees where the answer will be sent', async () => {
  const server = openScreen('/help', { answers: [answer(createTicket, { id: 7 })] })
  const form = within(await screen.findByRole('form', { name: 'Contact us' }))
  await user.click(form.getByRole('button', { name: 'Send Question' }))
  expect(await form.findByText('Please enter a subject')).toBeVisible()
  expect(form.getByText('Please write a message')).toBeVisible()
  await user.selectOptions(form.getByLabelText('What is it about?'), 'Account and security')
  await user.type(form.getByLabelText('Subject'), 'Locked out')
  await user.type(form.getByLabelText('Your question'), 'I cannot sign in.')
  await user.click(form.getByRole('button', { name: 'Send Question' }))
  expect(await form.findByText('Please enter your email address')).toBeVisible()
  await user.type(form.getByLabelText('Your email'), 'vera@example.com')
  await user.click(form.getByRole('button', { name: 'Send Question' }))
  expect(await screen.findByText(/We sent a link to the conversation to vera@example.com/)).toBeVisible()
  expect(server.requestsTo(createTicket)).toEqual([
    {
      body: {
        topic: 'account',
        subject: 'Locked out',
        message: 'I cannot sign in.',
        email: 'vera@example.com',
      },
    },
  ])
})

test('a refused question keeps the typed text, even on the next visit', async () => {
  openScreen('/help', {
    user: aUser(),
    answers: [answer(listPayments, []), refuse(createTicket, 'too_many')],
  })
  await user.type(await screen.findByLabelText('Subject'), 'Fees')
  await user.type(screen.getByLabelText('Your question'), 'Which ones?')
  await user.click(screen.getByRole('button', { name: 'Send Question' }))
  expect(await screen.findByText('Your question was not sent')).toBeVisible()
  expect(screen.getByLabelText('Your question')).toHaveValue('Which ones?')
  expect(JSON.parse(sessionStorage.getItem('sought:question') ?? '')).toEqual({
    subject: 'Fees',
    message: 'Which ones?',
  })
})

test('a user asks about one of their payments and is shown the conversation', async () => {
  sessionStorage.clear()
  const server = openScreen('/help', {
    user: aUser(),
    answers: [
      answer(listPayments, [aPair()]),
      answer(createTicket, { id: 7 }),
      answer(getTicket, aTicket({ status: 'open' })),
    ],
  })
  await user.selectOptions(
    await screen.findByLabelText('Payment'),
    `${aPayment().transactionNumber} · A green lamp · $120.00`,
  )
  await user.type(screen.getByLabelText('Subject'), 'Where is my money?')
  await user.type(screen.getByLabelText('Your question'), 'I sold a lamp.')
  await user.click(screen.getByRole('button', { name: 'Send Question' }))
  expect(await screen.findByRole('heading', { name: 'Where is my money?' })).toBeVisible()
  expect(server.requestsTo(createTicket)[0]?.body).toMatchObject({ paymentId: aPayment().id })
  expect(window.location.pathname).toBe('/help/tickets/7')
})

describe('conversations', () => {
  test('are listed with their status', async () => {
    const { payment: _, messages: __, ...ticket } = aTicket()
    openScreen('/help/tickets', { user: aUser(), answers: [answer(listTickets, [ticket])] })
    const list = within(await screen.findByRole('list', { name: 'Your questions' }))
    expect(list.getByRole('link', { name: /Where is my money\?\s*Answered/ })).toHaveAttribute(
      'href',
      '/help/tickets/7',
    )
  })

  test('that do not exist show how to ask', async () => {
    openScreen('/help/tickets', { user: aUser(), answers: [answer(listTickets, [])] })
    expect(await screen.findByRole('link', { name: 'Ask a Question' })).toHaveAttribute(
      'href',
      '/help#contact',
    )
  })

  test('are read and answered with the emailed link, without an account', async () => {
    const token = `7.${'a'.repeat(43)}`
    const server = openScreen(`/help/tickets/7?token=${token}`, {
      answers: [
        answer(getTicket, aTicket({ status: 'closed' })),
        answer(replyToTicket, {
          id: 3,
          from: 'you',
          content: 'Thanks',
          createdAt: '2026-11-15T14:00:00.000Z',
        }),
      ],
    })
    const list = within(await screen.findByRole('list', { name: 'Conversation' }))
    expect(list.getByText('Sought support')).toBeVisible()
    expect(screen.getByText('This conversation is closed. A reply opens it again.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Send Message' }))
    expect(screen.getByText('Please write a message')).toBeVisible()
    await user.type(screen.getByLabelText('Your message'), 'Thanks')
    await user.click(screen.getByRole('button', { name: 'Send Message' }))
    expect(await screen.findByText('Message sent!')).toBeVisible()
    expect(screen.getByLabelText('Your message')).toHaveValue('')
    expect(server.requestsTo(getTicket)[0]).toEqual({ params: { id: '7' }, query: { token } })
    expect(server.requestsTo(replyToTicket)).toEqual([
      { params: { id: '7' }, body: { content: 'Thanks', token } },
    ])
  })

  test('show how to open them if the link or the account is wrong', async () => {
    openScreen('/help/tickets/7', { answers: [refuse(getTicket, 'ticket_not_found')] })
    expect(await screen.findByRole('heading', { name: 'Conversation not found' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute(
      'href',
      '/auth?returnTo=%2Fhelp%2Ftickets%2F7',
    )
  })
})
