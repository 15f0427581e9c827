import { deleteDeliveryAddress, getDeliveryAddress, saveDeliveryAddress } from '@sought/contract/addresses'
import { getSharingSettings } from '@sought/contract/messages'
import { getEmailSettings } from '@sought/contract/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

const berlin = {
  name: 'Ada Tester',
  line1: 'Rosenweg 7',
  line2: '',
  city: 'Berlin',
  region: '',
  postalCode: '10115',
  country: 'DE',
}

type Saved = { deliveryAddress: typeof berlin | null }

function open(initial: typeof berlin | null, ...answers: Answer[]) {
  let saved: Saved = { deliveryAddress: initial }
  const server = openScreen('/profile?tab=settings', {
    user: aUser(),
    answers: [
      answer(getEmailSettings, { off: [] }),
      answer(getSharingSettings, { typing: true, presence: true, readReceipts: true }),
      answer(getDeliveryAddress, () => saved),
      answer(saveDeliveryAddress, ({ body }) => {
        saved = { deliveryAddress: { ...berlin, ...body } }
        return saved
      }),
      answer(deleteDeliveryAddress, () => {
        saved = { deliveryAddress: null }
        return { ok: true as const }
      }),
      ...answers,
    ],
  })
  return { server, user: userEvent.setup() }
}

const section = () => within(screen.getByRole('region', { name: 'Delivery address' }))
const labels = () =>
  section()
    .getAllByRole('textbox')
    .map((field) => (field as HTMLInputElement).labels?.[0]?.textContent)

test('an address is entered with the fields of its country, and then shown', async () => {
  const { server, user } = open(null)
  await user.click(await screen.findByRole('button', { name: 'Add address' }))
  expect(section().getByLabelText('Country')).toHaveValue('US')
  expect(labels()).toEqual([
    'Full name',
    'Address',
    'Apartment, floor, building',
    'City',
    'State',
    'ZIP code',
  ])
  await user.selectOptions(section().getByLabelText('Country'), 'Germany')
  expect(labels()).toEqual(['Full name', 'Address', 'Apartment, floor, building', 'Postal code', 'City'])
  expect(section().getByLabelText('Postal code')).toHaveAttribute('autocomplete', 'shipping postal-code')

  await user.type(section().getByLabelText('Full name'), 'Ada Tester')
  await user.type(section().getByLabelText('Address'), 'Rosenweg 7')
  await user.type(section().getByLabelText('Postal code'), '10115')
  await user.type(section().getByLabelText('City'), 'Berlin')
  await user.click(section().getByRole('button', { name: 'Save address' }))
  expect(await screen.findByText('Address saved')).toBeVisible()
  expect(server.requestsTo(saveDeliveryAddress)).toEqual([{ body: berlin }])
  const shown = await section().findByText('10115 Berlin')
  expect(shown.parentElement).toHaveTextContent('Ada TesterRosenweg 710115 BerlinGermany')
})

test('errors are shown at their fields, including a missing state that a valid ZIP code would imply', async () => {
  const { server, user } = open(null)
  await user.click(await screen.findByRole('button', { name: 'Add address' }))
  await user.type(section().getByLabelText('ZIP code'), '9410')
  await user.click(section().getByRole('button', { name: 'Save address' }))
  expect(await section().findByLabelText('ZIP code')).toHaveAccessibleDescription(
    'This is not a valid ZIP code',
  )
  expect(section().getByLabelText('Full name')).toHaveAccessibleDescription('Required')
  expect(section().getByLabelText('City')).toHaveAccessibleDescription('City is required')
  expect(section().getByLabelText('State')).toHaveAccessibleDescription('State is required')
  expect(section().getByLabelText('Apartment, floor, building')).not.toHaveAccessibleDescription()
  expect(server.requestsTo(saveDeliveryAddress)).toEqual([])

  await user.selectOptions(section().getByLabelText('Country'), 'Hong Kong SAR China')
  expect(section().queryByLabelText('ZIP code')).toBeNull()
  expect(section().queryByText('City is required')).toBeNull()
})

test('an error of the server is shown at its field', async () => {
  const { user } = open(
    berlin,
    refuse(saveDeliveryAddress, 'invalid', [{ path: 'city', message: 'Unknown city' }]),
  )
  await user.click(await screen.findByRole('button', { name: 'Edit address' }))
  expect(section().getByLabelText('City')).toHaveValue('Berlin')
  await user.click(section().getByRole('button', { name: 'Save address' }))
  expect(await screen.findByText('Failed to save address')).toBeVisible()
  expect(section().getByLabelText('City')).toHaveAccessibleDescription('Unknown city')
  await user.click(section().getByRole('button', { name: 'Cancel' }))
  expect(section().getByText('10115 Berlin')).toBeVisible()
})

test('the saved address can be deleted', async () => {
  const { user } = open(berlin)
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  await user.click(screen.getByRole('button', { name: 'Delete address' }))
  expect(await screen.findByText('Address deleted')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add address' })).toBeVisible())
})
