import { getIsAdmin } from '@sought/contract/accounts'
import {
  changeSettings,
  getSettings,
  listSettingsHistory,
  uploadLogo,
} from '@sought/contract/market-settings'
import { listPolicies, publishPolicy } from '@sought/contract/policies'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { enterText } from '../../../testing/enter-text.ts'
import { type Answer, answer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aMarket, aUser } from '../../../testing/samples.ts'

const { fees: _, byCurrency: __, ...market } = aMarket()

const limits = {
  maxOfferCents: null,
  goodwillApprovalCents: 10_000,
  ratingMinCents: 500,
  highValueCents: 50_000,
}

const fees = {
  platformFeePercent: 3,
  processingFeePercent: 2.9,
  processingFeeCents: 30,
  minimumFee: 0,
  feeTiers: [],
  feesFrom: '1970-01-01T00:00:00.000Z',
  scheduledFees: [],
}

const settings = {
  ...market,
  currencies: ['usd' as const],
  ...limits,
  ...fees,
  byCurrency: { usd: { ...limits, ...fees } },
  openRequestsMax: null,
  paymentMethods: ['card' as const, 'link' as const],
  cancellationFeePayer: 'seller' as const,
  cancellationsMax: 5,
  requireVerifiedEmail: false,
  payoutDelayHours: 0,
  newSellerPayoutDelayDays: 0,
  accentColor: null,
}

const openSettings = (...answers: Answer[]) =>
  openScreen('/admin/settings', {
    user: aUser(),
    answers: [
      answer(getIsAdmin, { isAdmin: true, role: 'admin' }),
      answer(getSettings, settings),
      answer(listSettingsHistory, []),
      answer(listPolicies, []),
      ...answers,
    ],
  })

test('fees are saved with an example of what the seller receives', async () => {
  const server = openSettings(answer(changeSettings, { ...settings, platformFeePercent: 5 }))
  const section = within(await screen.findByRole('region', { name: 'Fees' }))
  expect(section.getByText(/the seller receives \$112\.62/)).toBeVisible()
  const platform = section.getByLabelText('Platform fee in percent')
  await userEvent.clear(platform)
  await userEvent.type(platform, '95')
  expect(section.queryByText(/the seller receives/)).not.toBeInTheDocument()
  await userEvent.clear(platform)
  await userEvent.type(platform, '5')
  expect(section.getByText(/the seller receives \$110\.22/)).toBeVisible()
  await userEvent.click(section.getByRole('button', { name: 'Save Fees' }))
  await waitFor(() =>
    expect(server.requestsTo(changeSettings).map(({ body }) => body)).toEqual([
      {
        platformFeePercent: 5,
        processingFeePercent: 2.9,
        processingFeeCents: 30,
        minimumFee: 0,
        feeTiers: [],
      },
    ]),
  )
  expect(await screen.findByText('Settings saved')).toBeVisible()
})

test('tiers are added, checked and removed, and the table shows what each deal earns', async () => {
  const server = openSettings(answer(changeSettings, settings))
  const section = within(await screen.findByRole('region', { name: 'Fees' }))
  const earnings = () =>
    within(section.getByRole('table'))
      .getAllByRole('row')
      .map((row) => row.textContent)
  expect(earnings().slice(1)).toEqual([
    '$10.00$0.89$0.59$0.30',
    '$100.00$6.20$3.20$3.00',
    '$1,000.00$59.30$29.30$30.00',
  ])
  const replaceText = async (field: HTMLElement | undefined, text: string) => {
    if (!field) throw new Error('the field is missing')
    await userEvent.clear(field)
    await enterText(field, text)
  }
  await replaceText(section.getByLabelText('Lowest platform fee of a deal'), '0.50')
  await userEvent.click(section.getByRole('button', { name: 'Add Tier' }))
  await enterText(section.getByLabelText('Tier 1 from'), '1000')
  await enterText(section.getByLabelText('Percent'), '2')
  expect(earnings().slice(1)).toEqual([
    '$10.00$1.09$0.59$0.50',
    '$100.00$6.20$3.20$3.00',
    '$1,000.00$49.30$29.30$20.00',
  ])
  await userEvent.click(section.getByRole('button', { name: 'Add Tier' }))
  await enterText(section.getByLabelText('Tier 2 from'), '5000')
  await replaceText(section.getAllByLabelText('Percent')[1], '101')
  await userEvent.click(section.getByRole('button', { name: 'Save Fees' }))
  expect(await section.findByText('Must be between 0 and 100')).toBeVisible()
  await replaceText(section.getAllByLabelText('Percent')[1], '1')
  await replaceText(section.getByLabelText('Tier 2 from'), '500')
  expect(await section.findByText(/Each tier must start at a higher amount/)).toBeVisible()
  await userEvent.click(section.getByRole('button', { name: 'Remove tier 2' }))
  await userEvent.click(section.getByRole('button', { name: 'Save Fees' }))
  await waitFor(() =>
    expect(server.requestsTo(changeSettings).map(({ body }) => body)).toMatchObject([
      { minimumFee: 50, feeTiers: [{ from: 100_000, percent: 2 }] },
    ]),
  )
})

test('payment methods are chosen, but never without cards', async () => {
  const server = openSettings(answer(changeSettings, settings))
  const section = within(await screen.findByRole('region', { name: 'Payment methods' }))
  expect(section.getByRole('checkbox', { name: /^Card/ })).toBeDisabled()
  expect(
    section.getByText(/Only for payments in EUR, so not in your market\. The money takes up to 14/),
  ).toBeVisible()
  await userEvent.click(section.getByRole('checkbox', { name: /^US bank account/ }))
  await userEvent.click(section.getByRole('button', { name: 'Save Payment Methods' }))
  await waitFor(() =>
    expect(server.requestsTo(changeSettings).map(({ body }) => body)).toEqual([
      { paymentMethods: ['card', 'link', 'us_bank_account'] },
    ]),
  )
})

test('an error of the server is shown at its field', async () => {
  openSettings(refuse(changeSettings, 'invalid', [{ path: 'holdDaysHighValue', message: 'Too short' }]))
  const section = within(await screen.findByRole('region', { name: 'Escrow' }))
  await userEvent.click(section.getByRole('button', { name: 'Save Escrow' }))
  expect(await section.findByText('Too short')).toBeVisible()
})

test('another admin confirms a higher limit of goodwill, and its author can only withdraw it', async () => {
  const proposal = { proposedGoodwillApprovalCents: 20_000, goodwillApprovalProposedBy: 'rita' }
  const server = openSettings(
    answer(getSettings, { ...settings, ...proposal }),
    answer(changeSettings, { ...settings, goodwillApprovalCents: 20_000 }),
  )
  const section = within(await screen.findByRole('region', { name: 'Goodwill' }))
  await userEvent.click(section.getByRole('button', { name: /^Confirm/ }))
  expect(server.requestsTo(changeSettings)).toEqual([])
  const dialog = within(await screen.findByRole('alertdialog'))
  server.add(answer(getSettings, { ...settings, ...proposal, goodwillApprovalProposedBy: aUser().id }))
  await userEvent.click(dialog.getByRole('button', { name: /^Raise to/ }))
  await waitFor(() =>
    expect(server.requestsTo(changeSettings).map(({ body }) => body)).toEqual([
      { goodwillApprovalCents: 20_000 },
    ]),
  )
  expect(await section.findByRole('button', { name: 'Withdraw Proposal' })).toBeVisible()
  expect(section.queryByRole('button', { name: /^Confirm/ })).not.toBeInTheDocument()
})

test('the mode changes after a confirmation', async () => {
  const server = openSettings(answer(changeSettings, { ...settings, mode: 'read_only' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Make Read-Only' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(server.requestsTo(changeSettings)).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Make Read-Only' }))
  await waitFor(() =>
    expect(server.requestsTo(changeSettings).map(({ body }) => body)).toEqual([{ mode: 'read_only' }]),
  )
})

test('categories can be sorted, added and removed without losing the focus', async () => {
  const server = openSettings(
    answer(getSettings, { ...settings, categories: ['Art', 'Books', 'Music'] }),
    answer(changeSettings, settings),
  )
  const section = within(await screen.findByRole('region', { name: 'Categories' }))
  const up = section.getByRole('button', { name: 'Move Books up' })
  await userEvent.click(up)
  expect(up).toHaveFocus()
  expect(up).toHaveAttribute('aria-disabled', 'true')
  await userEvent.click(up)
  expect(section.getByLabelText('Category 1')).toHaveValue('Books')
  await userEvent.click(section.getByRole('button', { name: 'Remove Art' }))
  expect(section.getByLabelText('Category 2')).toHaveValue('Music')
  expect(section.getByLabelText('Category 2')).toHaveFocus()
  await userEvent.click(section.getByRole('button', { name: 'Remove Music' }))
  expect(section.getByLabelText('Category 1')).toHaveFocus()
  await userEvent.click(section.getByRole('button', { name: 'Add Category' }))
  expect(section.getByLabelText('Category 2')).toHaveFocus()
  await userEvent.keyboard('Tools')
  await userEvent.click(section.getByRole('button', { name: 'Save Categories' }))
  await waitFor(() =>
    expect(server.requestsTo(changeSettings).map(({ body }) => body)).toEqual([
      { categories: ['Books', 'Tools'] },
    ]),
  )
})

test('the accent colour is shown in both themes before it is saved', async () => {
  const server = openSettings(answer(changeSettings, { ...settings, accentColor: '#aa0000' }))
  const section = within(await screen.findByRole('region', { name: 'Accent colour' }))
  await enterText(section.getByLabelText('Accent colour'), '#aa0000')
  const previews = section.getAllByRole('figure')
  expect(previews.map(({ style }) => style.getPropertyValue('--color-accent'))).toEqual([
    expect.stringMatching(/^light-dark\(#aa0000, #/),
    expect.stringMatching(/^light-dark\(#aa0000, #/),
  ])
  await userEvent.click(section.getByRole('button', { name: 'Save Colour' }))
  await waitFor(() =>
    expect(server.requestsTo(changeSettings).map(({ body }) => body)).toEqual([{ accentColor: '#aa0000' }]),
  )
  await waitFor(() => expect(document.getElementById('accent-style')).toHaveTextContent('#aa0000'))
})

test('a logo is chosen and uploaded', async () => {
  const server = openSettings(answer(uploadLogo, { ...settings, logoUrl: '/files/logo.webp' }))
  const section = within(await screen.findByRole('region', { name: 'Logo' }))
  expect(section.getByRole('button', { name: 'Save Logo' })).toBeDisabled()
  await userEvent.upload(section.getByLabelText('Logo'), new File(['x'], 'logo.png', { type: 'image/png' }))
  await userEvent.click(section.getByRole('button', { name: 'Save Logo' }))
  expect(await screen.findByText('Logo saved')).toBeVisible()
  expect(server.requestsTo(uploadLogo)).toHaveLength(1)
})

test('a policy is previewed, and published after a confirmation', async () => {
  const published = {
    policy: 'privacy_policy',
    version: 1,
    text: '## Your data',
    effectiveFrom: '2026-11-17T10:00:00.000Z',
    createdBy: null,
    createdAt: '2026-11-17T10:00:00.000Z',
  } as const
  const server = openSettings(answer(publishPolicy, published))
  const section = within(await screen.findByRole('region', { name: 'Policies' }))
  expect(await section.findByText(/is in force/)).toHaveTextContent('The built-in text is in force.')
  expect(section.getByRole('button', { name: 'Publish Version' })).toBeDisabled()
  await userEvent.selectOptions(section.getByLabelText('Policy'), 'Privacy Policy')
  await enterText(section.getByLabelText('Text'), '## Your data')
  await userEvent.click(section.getByRole('button', { name: 'Preview' }))
  expect(section.getByRole('heading', { name: 'Your data' })).toBeVisible()
  await userEvent.click(section.getByRole('button', { name: 'Publish Version' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByText(/users must accept it/)).toBeVisible()
  expect(server.requestsTo(publishPolicy)).toEqual([])
  server.add(answer(listPolicies, [published]))
  await userEvent.click(dialog.getByRole('button', { name: 'Publish Version' }))
  expect(await section.findByText(/Version 1, in force from/)).toBeVisible()
  expect(server.requestsTo(publishPolicy)).toMatchObject([
    { params: { policy: 'privacy_policy' }, body: { text: '## Your data' } },
  ])
})

test('a time that the server refuses has its error at its field', async () => {
  const message = 'Must not be in the past'
  openSettings(refuse(publishPolicy, 'invalid', [{ path: 'effectiveFrom', message }]))
  const section = within(await screen.findByRole('region', { name: 'Policies' }))
  await userEvent.type(await section.findByLabelText('Text'), 'Terms')
  await userEvent.click(section.getByRole('button', { name: 'Publish Version' }))
  await userEvent.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Publish Version' }),
  )
  expect(await section.findByText(message)).toBeVisible()
})

test('each currency has its own fees and limits', async () => {
  const inYen = {
    ...limits,
    ...fees,
    maxOfferCents: 1_000_000,
    processingFeeCents: 30,
    highValueCents: 50_000,
  }
  const byCurrency = { usd: { ...limits, ...fees }, jpy: inYen }
  const server = openSettings(
    answer(getSettings, { ...settings, currencies: ['usd', 'jpy'], byCurrency }),
    answer(changeSettings, settings),
  )
  await userEvent.selectOptions(await screen.findByLabelText('Fees and limits in'), 'jpy')
  expect(screen.getByLabelText('Highest offer')).toHaveValue('1000000')
  expect(screen.getByLabelText('Days from ¥50,000 on')).toBeVisible()
  await userEvent.clear(screen.getByLabelText('Lowest platform fee of a deal'))
  await enterText(screen.getByLabelText('Lowest platform fee of a deal'), '50')
  await userEvent.click(screen.getByRole('button', { name: 'Save Fees' }))
  await waitFor(() => expect(server.requestsTo(changeSettings)).toHaveLength(1))
  expect(server.requestsTo(changeSettings)[0]).toMatchObject({ body: { currency: 'jpy', minimumFee: 50 } })
})

test('currencies can be added, removed and made the default', async () => {
  const server = openSettings(answer(changeSettings, settings))
  await userEvent.selectOptions(await screen.findByLabelText('Add a currency'), 'eur')
  await userEvent.selectOptions(screen.getByLabelText('Add a currency'), 'kwd')
  await userEvent.click(screen.getByRole('button', { name: 'Make EUR the default' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove KWD' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save Currencies' }))
  await waitFor(() => expect(server.requestsTo(changeSettings)).toHaveLength(1))
  expect(server.requestsTo(changeSettings)[0]).toMatchObject({ body: { currencies: ['eur', 'usd'] } })
})
