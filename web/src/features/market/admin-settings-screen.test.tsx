import { getIsAdmin } from '@sought/contract/accounts'
import { changeSettings, getSettings, listSettingsHistory } from '@sought/contract/market-settings'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aMarket, aUser } from '../../testing/samples.ts'

const { fees: _, ...market } = aMarket()

const settings = {
  ...market,
  openRequestsMax: null,
  goodwillApprovalCents: 10_000,
  platformFeePercent: 3,
  processingFeePercent: 2.9,
  processingFeeCents: 30,
  feesFrom: '1970-01-01T00:00:00.000Z',
  scheduledFees: [],
}

const openSettings = (...answers: Answer[]) =>
  openScreen('/admin/settings', {
    user: aUser(),
    answers: [
      answer(getIsAdmin, { isAdmin: true, role: 'admin' }),
      answer(getSettings, settings),
      answer(listSettingsHistory, []),
      ...answers,
    ],
  })

test('fees are saved with an example of what the seller receives', async () => {
  const server = openSettings(answer(changeSettings, { ...settings, platformFeePercent: 5 }))
  const section = within(await screen.findByRole('region', { name: 'Fees' }))
  expect(section.getByText(/the seller receives \$112\.62/)).toBeVisible()
  const platform = section.getByLabelText('Platform fee in percent')
  await userEvent.clear(platform)
  await userEvent.type(platform, '5')
  expect(section.getByText(/the seller receives \$110\.22/)).toBeVisible()
  await userEvent.click(section.getByRole('button', { name: 'Save Fees' }))
  await waitFor(() =>
    expect(server.requestsTo(changeSettings).map(({ body }) => body)).toEqual([
      { platformFeePercent: 5, processingFeePercent: 2.9, processingFeeCents: 30 },
    ]),
  )
  expect(await screen.findByText('Settings saved')).toBeVisible()
})

test('what the server refuses is shown at its field', async () => {
  openSettings(refuse(changeSettings, 'invalid', [{ path: 'holdDaysHighValue', message: 'Too short' }]))
  const section = within(await screen.findByRole('region', { name: 'Escrow' }))
  await userEvent.click(section.getByRole('button', { name: 'Save Escrow' }))
  expect(await section.findByText('Too short')).toBeVisible()
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
