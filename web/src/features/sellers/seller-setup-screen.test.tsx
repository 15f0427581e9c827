import { getBankStatus, getStripeConnectStatus, listPayouts } from '@sought/contract/sellers'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { answer } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/people.ts'

afterEach(() => {
  window.name = ''
})

function openSellerSetup(query: string) {
  const close = vi.spyOn(window, 'close').mockReturnValue()
  openScreen(`/seller-setup${query}`, {
    user: aUser(),
    answers: [
      answer(getStripeConnectStatus, { hasAccount: true, canReceivePayments: false }),
      answer(getBankStatus, { hasBankAccount: false, bankDetails: null }),
      answer(listPayouts, []),
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

test('a page that was redirected to the onboarding shows the result and clears the URL', async () => {
  const close = openSellerSetup('?success=true')
  expect(await screen.findByText('Setup Complete!')).toBeVisible()
  expect(window.location.search).toBe('')
  expect(close).not.toHaveBeenCalled()
})
