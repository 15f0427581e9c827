import { listDebts } from '@sought/contract/debts'
import { getConfig } from '@sought/contract/platform'
import { refusals } from '@sought/contract/refusals'
import {
  getBankStatus,
  getStripeConnectStatus,
  listPayouts,
  resetStripeConnect,
  saveBankAccount,
  setUpStripeConnect,
} from '@sought/contract/sellers'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type * as z from 'zod/mini'
import { enterText } from '../../testing/enter-text.ts'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aConfig, aUser } from '../../testing/samples.ts'

type Status = z.input<typeof getStripeConnectStatus.reply>

/** The status of a seller without a connected account. */
const connect = (change: Partial<Status> = {}): Status => ({
  hasAccount: false,
  canReceivePayments: false,
  requirements: [],
  disabledReason: null,
  loginUrl: null,
  lastPayout: null,
  ...change,
})

afterEach(() => {
  window.name = ''
})

function openSellerSetup(query: string) {
  const close = vi.spyOn(window, 'close').mockReturnValue()
  openScreen(`/seller-setup${query}`, {
    user: aUser(),
    answers: [
      answer(getStripeConnectStatus, connect({ hasAccount: true })),
      answer(getBankStatus, { hasBankAccount: false, bankDetails: null }),
      answer(listPayouts, []),
      answer(listDebts, []),
    ],
  })
  return close
}

test('the onboarding pop-up closes itself after a successful setup', async () => {
  window.name = 'sought-onboarding'
  const close = openSellerSetup('?success=true')
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
})

test('the onboarding pop-up stays open after an incomplete setup', async () => {
  window.name = 'sought-onboarding'
  const close = openSellerSetup('?refresh=true')
  expect(await screen.findByText('Setup Incomplete')).toBeVisible()
  expect(close).not.toHaveBeenCalled()
})

test('after an onboarding without a pop-up, the page shows the result and clears the URL', async () => {
  const close = openSellerSetup('?success=true')
  expect(await screen.findByText('Setup Complete!')).toBeVisible()
  expect(window.location.search).toBe('')
  expect(close).not.toHaveBeenCalled()
})

const notSetUp = [
  answer(getStripeConnectStatus, connect()),
  answer(getBankStatus, { hasBankAccount: false, bankDetails: null }),
  answer(listPayouts, []),
  answer(listDebts, []),
]

test('a seller without payouts sees both methods, the countries and totals of zero', async () => {
  openScreen('/seller-setup', { user: aUser(), answers: notSetUp })
  expect(await screen.findByText('You haven’t set up payouts yet')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'How payouts work' })).toBeVisible()
  expect(screen.getByText(/reaches your bank in 3-5 business days/)).toBeVisible()
  const [country] = await screen.findAllByLabelText('Country')
  expect(country).toHaveValue('US')
  expect(within(country as HTMLElement).getAllByRole('option')).toHaveLength(7)
  expect(country).toHaveTextContent('MalaysiaUnited StatesCanadaUnited KingdomAustraliaGermanyFrance')
  const payouts = screen.getByRole('region', { name: 'Your payouts' })
  for (const label of ['Owed to you', 'On its way', 'Paid']) {
    await waitFor(() => expect(payouts).toHaveTextContent(`${label}$0.00`))
  }
})

test('after a change of the payout account the seller sees until when payouts wait', async () => {
  const waitsUntil = '2026-11-18T14:30:00.000Z'
  const payout = {
    id: 1,
    paymentId: 1,
    itemTitle: 'A green lamp',
    amount: 11_262,
    currency: 'usd',
    method: 'manual',
    status: 'owed',
    createdAt: '2026-11-16T09:00:00.000Z',
    paidAt: null,
    waitsUntil,
  } as const
  openScreen('/seller-setup', {
    user: aUser(),
    answers: [
      answer(getStripeConnectStatus, connect()),
      answer(getBankStatus, {
        hasBankAccount: false,
        bankDetails: null,
        payoutsWaitUntil: waitsUntil,
        payoutsDelayedUntil: '2026-11-21T09:00:00.000Z',
      }),
      answer(listPayouts, [payout]),
      answer(listDebts, []),
    ],
  })
  expect(await screen.findByText(/^Payouts wait until .*18/)).toBeVisible()
  expect(await screen.findByText(/^Owed to you. Waits until .*18/)).toBeVisible()
  // A new seller may have to wait longer.
  expect(screen.getByText(/^Your first payouts are sent on .*21/)).toBeVisible()
})

test('a seller sees what they owe, and what of it was taken from which payout', async () => {
  const payout = {
    id: 1,
    paymentId: 1,
    itemTitle: 'A green lamp',
    amount: 10_884,
    currency: 'usd',
    method: 'transfer',
    status: 'paid',
    createdAt: '2026-11-16T09:00:00.000Z',
    paidAt: '2026-11-16T09:00:00.000Z',
    debtAmount: 378,
  } as const
  const debt = {
    id: 1,
    amount: 378,
    currency: 'usd',
    reason: 'cancellation',
    paymentId: 7,
    itemTitle: 'A lamp',
    createdAt: '2026-11-15T09:00:00.000Z',
    settledAmount: 0,
    settledAt: null,
    waivedAt: null,
    writtenOffAt: null,
  } as const
  openScreen('/seller-setup', {
    user: aUser(),
    answers: [
      answer(getStripeConnectStatus, connect()),
      answer(getBankStatus, { hasBankAccount: false, bankDetails: null }),
      answer(listPayouts, [payout, { ...payout, id: 2, status: 'cancelled', itemTitle: 'A vase' }]),
      answer(listDebts, [
        { ...debt, id: 2, settledAmount: 378, settledAt: '2026-11-16T09:00:00.000Z' },
        debt,
      ]),
    ],
  })
  const owed = within(await screen.findByRole('region', { name: 'What you owe' }))
  const [settled, open] = owed.getAllByRole('listitem')
  expect(settled).toHaveTextContent(
    /Card fee of a cancelled deal.*Taken from payouts by November 16.*\$3\.78/,
  )
  expect(open).toHaveTextContent(/Open since November 15/)
  expect(owed.getAllByRole('link', { name: 'A lamp' })[0]).toHaveAttribute('href', '/deal/7')
  expect(await screen.findByText(/\$3\.78 of it went to what you owed\./)).toBeVisible()
  expect(screen.getByText('All of it went to what you owed.')).toBeVisible()
})

test('a seller in a country that Stripe cannot pay from here is sent to the bank details', async () => {
  const config = answer(getConfig, aConfig({ platformCountry: 'US', manualPayoutCountries: ['MY', 'AU'] }))
  openScreen('/seller-setup', { user: aUser(), answers: [...notSetUp, config] })
  const [country] = await screen.findAllByLabelText('Country')
  await waitFor(() => expect(country).toHaveValue('US'))
  const setUp = screen.getByRole('button', { name: 'Set Up Stripe Connect' })
  expect(setUp).toBeEnabled()
  await userEvent.selectOptions(country as HTMLElement, 'MY')
  expect(screen.getByText('No automatic payouts in Malaysia')).toBeVisible()
  expect(screen.getByText(/enter your bank details instead/)).toBeVisible()
  expect(setUp).toBeDisabled()
})

test('a blocked pop-up shows a toast and opens the setup in this page a second later', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null)
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  const setTimeout = vi.spyOn(window, 'setTimeout')
  openScreen('/seller-setup', {
    user: aUser(),
    answers: [...notSetUp, answer(setUpStripeConnect, { onboardingUrl: 'http://localhost/onboarding' })],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Set Up Stripe Connect' }))
  expect(await screen.findByText('Popup Blocked')).toBeVisible()
  await waitFor(() => expect(assign).toHaveBeenCalledWith('http://localhost/onboarding'))
  expect(setTimeout.mock.calls.map(([, delay]) => delay)).toContain(1000)
})

test('after the pop-up closes, a toast asks about the setup and the page reloads two seconds later', {
  tags: ['proof'],
}, async () => {
  const popup = { document: { title: '' }, location: { replace: vi.fn() }, closed: false }
  vi.spyOn(window, 'open').mockReturnValue(popup as unknown as Window)
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  const setTimeout = vi.spyOn(window, 'setTimeout')
  openScreen('/seller-setup', {
    user: aUser(),
    answers: [...notSetUp, answer(setUpStripeConnect, { onboardingUrl: 'http://localhost/onboarding' })],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Set Up Stripe Connect' }))
  await waitFor(() => expect(popup.location.replace).toHaveBeenCalledWith('http://localhost/onboarding'))
  expect(screen.queryByText('Setup Complete?')).not.toBeInTheDocument()
  popup.closed = true
  expect(await screen.findByText('Setup Complete?')).toBeVisible()
  expect(setTimeout.mock.calls.map(([, delay]) => delay)).toContain(2000)
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
})

test('a failed setup shows the reason and closes the blank pop-up', async () => {
  const popup = { document: { title: '' }, close: vi.fn() }
  vi.spyOn(window, 'open').mockReturnValue(popup as unknown as Window)
  const server = openScreen('/seller-setup', {
    user: aUser(),
    answers: [...notSetUp, { call: setUpStripeConnect, respond: () => Response.json({}) }],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Set Up Stripe Connect' }))
  expect(await screen.findByText('Setup Failed')).toBeVisible()
  expect(screen.getByText('No onboarding URL received from Stripe')).toBeVisible()
  await waitFor(() => expect(popup.close).toHaveBeenCalledTimes(1))

  server.add(refuse(setUpStripeConnect, 'provider_failed'))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Set Up Stripe Connect' })).toBeEnabled())
  await userEvent.click(screen.getByRole('button', { name: 'Set Up Stripe Connect' }))
  expect(await screen.findByText(refusals.provider_failed.message)).toBeVisible()
  await waitFor(() => expect(popup.close).toHaveBeenCalledTimes(2))
})

test('a failed reset shows a toast', async () => {
  openScreen('/seller-setup', {
    user: aUser(),
    answers: [
      ...notSetUp,
      answer(getStripeConnectStatus, connect({ hasAccount: true })),
      refuse(resetStripeConnect, 'too_many'),
    ],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Reset' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Reset Account' }))
  expect(await screen.findByText('Reset Failed')).toBeVisible()
})

test('bank details can be entered even if the provider does not answer', async () => {
  openScreen('/seller-setup', {
    user: aUser(),
    answers: [...notSetUp, refuse(getStripeConnectStatus, 'provider_failed')],
  })
  expect(await screen.findByRole('alert')).toHaveTextContent('could not be loaded')
  expect(await screen.findByRole('form', { name: 'Bank details' })).toBeVisible()
})

/** happy-dom does not preselect the US, as a browser does. */
async function openBankForm() {
  const form = within(await screen.findByRole('form', { name: 'Bank details' }))
  await userEvent.selectOptions(form.getByLabelText('Country'), 'US')
  return form
}

test('US bank details need all five fields and a valid routing number', async () => {
  const server = openScreen('/seller-setup', {
    user: aUser(),
    answers: [...notSetUp, answer(saveBankAccount, { ok: true })],
  })
  const form = await openBankForm()
  const save = form.getByRole('button', { name: 'Save Bank Account' })
  expect(form.getByLabelText('Checking')).toBeChecked()
  expect(save).toBeDisabled()
  await enterText(form.getByLabelText('Account holder name'), 'Bob Tester')
  await enterText(form.getByLabelText('Routing number'), '110000001')
  expect(save).toBeDisabled()
  await enterText(form.getByLabelText('Account number'), '000123456789')
  await userEvent.click(save)
  expect(await form.findByText('This is not a US routing number')).toBeVisible()
  await userEvent.clear(form.getByLabelText('Routing number'))
  await enterText(form.getByLabelText('Routing number'), '110000000')
  await waitFor(() => expect(form.queryByText('This is not a US routing number')).not.toBeInTheDocument())
  server.add(
    answer(getBankStatus, {
      hasBankAccount: true,
      bankDetails: { account_holder_name: 'Bob Tester', account_number_last4: '6789' },
    }),
  )
  await userEvent.click(save)
  expect(await screen.findByText('Bank account saved')).toBeVisible()
  expect(await screen.findByText('•••• 6789')).toBeVisible()
  expect(screen.getByText('Ready to be paid by bank transfer')).toBeVisible()
})

test.each([
  {
    country: 'GB',
    fields: { 'Sort code': ['200000', '20-00-00'], 'Account number': ['55779911', '55779911'] },
    invalid: { field: 'Account number', typed: '5577', message: 'Must have 8 digits' },
  },
  {
    country: 'AU',
    fields: { BSB: ['062000', '062-000'], 'Account number': ['000123456', '000123456'] },
    invalid: { field: 'BSB', typed: '0620', message: 'A BSB has 6 digits' },
  },
  {
    country: 'DE',
    fields: { IBAN: ['de89370400440532013000', 'DE89 3704 0044 0532 0130 00'] },
    invalid: { field: 'IBAN', typed: 'DE89370400440532013001', message: 'This is not a valid IBAN' },
  },
  {
    country: 'MY',
    fields: { 'Account number': ['512345678901', '512345678901'], 'Bank name': ['Maybank', 'Maybank'] },
    invalid: { field: 'Account number', typed: '51', message: 'Must have 7 to 17 digits' },
  },
])('bank details of $country have the fields of its banks', async ({ country, fields, invalid }) => {
  const server = openScreen('/seller-setup', {
    user: aUser(),
    answers: [...notSetUp, answer(saveBankAccount, { ok: true })],
  })
  const form = await openBankForm()
  const save = form.getByRole('button', { name: 'Save Bank Account' })
  await enterText(form.getByLabelText('Routing number'), '110000000')
  await userEvent.selectOptions(form.getByLabelText('Country'), country)
  expect(form.queryByLabelText('Routing number')).not.toBeInTheDocument()
  await enterText(form.getByLabelText('Account holder name'), 'Bob Tester')
  expect(save).toBeDisabled()
  for (const [label, [typed = '', shown = '']] of Object.entries(fields)) {
    await enterText(form.getByLabelText(label), typed)
    expect(form.getByLabelText(label)).toHaveValue(shown)
  }
  await userEvent.clear(form.getByLabelText(invalid.field))
  await enterText(form.getByLabelText(invalid.field), invalid.typed)
  await userEvent.click(save)
  expect(await form.findByText(invalid.message)).toBeVisible()
  const [valid = ''] = Object.entries(fields).find(([label]) => label === invalid.field)?.[1] ?? []
  await userEvent.clear(form.getByLabelText(invalid.field))
  await enterText(form.getByLabelText(invalid.field), valid)
  await userEvent.click(save)
  expect(await screen.findByText('Bank account saved')).toBeVisible()
  expect(server.requestsTo(saveBankAccount)).toMatchObject([{ body: { country } }])
})

test('refused bank details show the reason at their field', async () => {
  openScreen('/seller-setup', {
    user: aUser(),
    answers: [
      ...notSetUp,
      refuse(saveBankAccount, 'invalid', [{ path: 'account_number', message: 'This account is closed' }]),
    ],
  })
  const form = await openBankForm()
  await enterText(form.getByLabelText('Account holder name'), 'Bob Tester')
  await enterText(form.getByLabelText('Routing number'), '110000000')
  await enterText(form.getByLabelText('Account number'), '000123456789')
  await userEvent.click(form.getByRole('button', { name: 'Save Bank Account' }))
  expect(await screen.findByText('Failed to save bank account')).toBeVisible()
  expect(form.getByText('This account is closed')).toBeVisible()
})

describe('the health of a connected account', () => {
  const account = {
    hasAccount: true,
    canReceivePayments: true,
    loginUrl: 'https://connect.example/login',
  }
  const what = 'Upload a picture of your identity document.'
  const due = (deadline: string | null) => ({ requirements: [{ field: 'a', what, deadline }] })
  const payout = (change: Partial<NonNullable<Status['lastPayout']>>) => ({
    lastPayout: {
      status: 'paid',
      failure: null,
      amount: 11_262,
      currency: 'usd',
      arrivalDate: '2026-11-24T00:00:00.000Z',
      ...change,
    } satisfies Status['lastPayout'],
  })

  const states: [string, Partial<Status>, string[], boolean][] = [
    ['fine', payout({}), ['Ready to be paid', 'Last payout to your bank: $112.62, arrived on'], false],
    ['due soon', due('2099-12-24T10:00:00.000Z'), ['Stripe needs something from you by', what], true],
    [
      'past due',
      {
        ...due('2026-01-02T10:00:00.000Z'),
        canReceivePayments: false,
        disabledReason: 'requirements.past_due',
      },
      ['Your payouts are paused', what],
      true,
    ],
    [
      'failed at the bank',
      { ...payout({ status: 'failed', failure: 'account_closed' }), canReceivePayments: false },
      ['Your bank returned $112.62', 'The bank account is closed.', 'sends it again with the next payout'],
      true,
    ],
    ['under review', { disabledReason: 'under_review' }, ['Stripe is reviewing your account'], false],
    [
      'rejected',
      { disabledReason: 'rejected.fraud', canReceivePayments: false },
      ['Stripe has closed your account for payouts'],
      false,
    ],
    [
      'abroad',
      payout({ currency: 'jpy', amount: 5_000, status: 'in_transit' }),
      ['Last payout to your bank: ¥5,000, expected on'],
      false,
    ],
  ]
  test.each(states)('is shown: %s', async (_, change, texts, isUpToSeller) => {
    openScreen('/seller-setup', {
      user: aUser(),
      answers: [
        answer(getStripeConnectStatus, connect({ ...account, ...change })),
        answer(getBankStatus, { hasBankAccount: false, bankDetails: null }),
        answer(listPayouts, []),
        answer(listDebts, []),
      ],
    })
    for (const text of texts) expect(await screen.findByText(text, { exact: false })).toBeVisible()
    const link = screen.queryByRole('link', { name: 'Open Stripe' })
    expect(link?.getAttribute('href') ?? null).toBe(isUpToSeller ? account.loginUrl : null)
    expect(screen.queryByRole('button', { name: 'Continue Setup' })).toBeNull()
  })

  test('is shown: closed', async () => {
    openScreen('/seller-setup', {
      user: aUser(),
      answers: [
        answer(getStripeConnectStatus, connect({ closedAt: '2026-11-02T10:00:00.000Z' })),
        ...notSetUp.slice(1),
      ],
    })
    expect(await screen.findByText(/Your Stripe account was closed or disconnected on/)).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Set Up Stripe Connect' })).toBeVisible()
  })
})
