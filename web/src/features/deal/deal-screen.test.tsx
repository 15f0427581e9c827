import { cancelPayment, handOver, markDelivered, shipItem } from '@sought/contract/deliveries'
import { getPayment, refundBuyer } from '@sought/contract/payments'
import { listPayouts } from '@sought/contract/sellers'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { enterText } from '../../testing/enter-text.ts'
import { type Answer, answer, neverAnswer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aPayment, aSellerUser, aUser } from '../../testing/samples.ts'

type Changes = Parameters<typeof aPayment>[0]

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
/** 'Nov 23', as the browser writes it. */
const shortDate = (at: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' }).format(new Date(at))

const address = {
  name: 'Ada Buyer',
  line1: 'Rosenweg 7',
  line2: '',
  city: 'Berlin',
  region: '',
  postalCode: '10115',
  country: 'DE',
}

const toShip: Changes = {
  delivery: 'shipping',
  shipWithinDays: 3,
  shipBy: inDays(3),
  deliveryAddress: address,
}
const shipped: Changes = {
  ...toShip,
  shippedAt: inDays(-1),
  carrier: 'ups',
  trackingNumber: '1Z999AA10123456784',
  trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
}

function open(party: 'buyer' | 'seller', changes: Changes, ...answers: Answer[]) {
  const user = party === 'buyer' ? aUser() : aSellerUser()
  return openScreen('/deal/1', {
    user,
    answers: [answer(getPayment, aPayment(changes)), answer(listPayouts, []), ...answers],
  })
}

const findStep = (name: string) => screen.findByRole('heading', { level: 2, name })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test('the buyer of a parcel waits, and can ask the seller to cancel', async () => {
  const server = open('buyer', toShip, answer(cancelPayment, aPayment(toShip)))
  expect(await screen.findByRole('heading', { level: 1, name: 'Deal with Bob Tester' })).toBeVisible()
  const shipBy = shortDate(toShip.shipBy ?? '')
  expect(await findStep(`Bob Tester ships by ${shipBy}`)).toBeVisible()
  expect(screen.getByRole('list', { name: 'Payment progress' })).toHaveTextContent(`Ship by ${shipBy}`)
  expect(screen.getByText('The money stays in escrow until the item is shipped')).toBeVisible()
  expect(screen.getByRole('region', { name: 'Delivery address' })).toHaveTextContent('Rosenweg 7')
  expect(screen.getByText('Ships within 3 days of payment')).toBeVisible()
  expect(screen.getByText('4F7K-Q2MX-9TB3')).toBeVisible()
  expect(link('Receipt')).toBe('/payments/1/receipt')
  expect(link('Report Issue')).toBe('/dispute-report?paymentId=1')
  expect(link('Open Conversation')).toBe(`/messages?itemId=3&userId=${aSellerUser().id}`)
  expect(screen.queryByRole('link', { name: 'Confirm Delivery' })).not.toBeInTheDocument()
  expect(link('Already Received It?')).toBe('/delivery/1')

  await press('Ask to Cancel')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Ask Bob Tester to cancel?' }))
  expect(dialog.getByText(/If Bob Tester accepts, you get \$120\.00 back/)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Send Request' }))
  expect(dialog.getByText('Please give a reason')).toBeVisible()
  await enterText(dialog.getByLabelText('Reason'), 'Found another')
  await userEvent.click(dialog.getByRole('button', { name: 'Send Request' }))
  expect(await screen.findByText('Cancellation requested')).toBeVisible()
  expect(server.requestsTo(cancelPayment)).toEqual([
    { params: { id: '1' }, body: { reason: 'Found another' } },
  ])
})

test('the buyer of a late seller sees when they can cancel, and then cancels', async () => {
  open('buyer', { ...toShip, shipBy: inDays(-1), cancelRequestedAt: inDays(-2) })
  expect(await findStep('Bob Tester is late')).toBeVisible()
  expect(screen.getByText(new RegExp(`From ${shortDate(inDays(1))} you can cancel`))).toBeVisible()
  expect(screen.getByText(`You asked to cancel on ${shortDate(inDays(-2))}`)).toBeVisible()
  expect(screen.queryByRole('button', { name: /Cancel/ })).not.toBeInTheDocument()
  cleanup()

  const late: Changes = { ...toShip, shipBy: inDays(-3) }
  const server = open('buyer', late, answer(cancelPayment, aPayment({ ...late, status: 'refunded' })))
  await findStep('Bob Tester is late')
  await press('Cancel Deal')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Cancel this deal?' }))
  await enterText(dialog.getByLabelText('Reason'), 'Never shipped')
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel and Refund $120.00' }))
  expect(await screen.findByText('Deal cancelled')).toBeVisible()
  expect(server.requestsTo(cancelPayment)).toHaveLength(1)
})

test('the seller sees the payout of an old deal', async () => {
  const payout = {
    id: 9,
    paymentId: 1,
    itemTitle: 'A green lamp',
    amount: 11_262,
    currency: 'usd' as const,
    method: 'manual' as const,
    status: 'owed' as const,
    createdAt: inDays(-400),
    paidAt: null,
  }
  // The seller has more than a page of newer payouts.
  const payouts = answer(listPayouts, ({ query }) => (query.paymentIds === '1' ? [payout] : []))
  open('seller', { status: 'completed' }, payouts)
  expect(await screen.findByText('Owed to you. We will transfer it to your bank.')).toBeVisible()
})

test('the seller ships with a carrier, a number and a photo', async () => {
  const server = open('seller', toShip, answer(shipItem, aPayment(shipped)))
  expect(await findStep(`Ship by ${shortDate(toShip.shipBy ?? '')}`)).toBeVisible()
  expect(screen.getByRole('region', { name: 'Delivery address' })).toHaveTextContent('10115 Berlin')
  expect(screen.getByText('Your payout')).toBeVisible()
  await press('Mark as Shipped')
  expect(screen.getByText('Choose a carrier', { selector: 'p, p *' })).toBeVisible()
  await userEvent.selectOptions(screen.getByLabelText('Carrier'), 'UPS')
  await userEvent.type(screen.getByLabelText(/Tracking number/), '1Z?')
  expect(screen.getByText('Enter 5 to 40 letters and digits, as on the label')).toBeVisible()
  await userEvent.clear(screen.getByLabelText(/Tracking number/))
  await enterText(screen.getByLabelText(/Tracking number/), '1z 999 aa1 0123456784')
  await enterText(screen.getByLabelText(/Note to the buyer/), 'Fragile')
  const photo = new File(['abc'], 'label.png', { type: 'image/png' })
  await userEvent.upload(screen.getByLabelText(/Photo of the parcel/), photo)
  server.add(answer(getPayment, aPayment(shipped)))
  await press('Mark as Shipped')
  expect(await screen.findByText('Marked as shipped')).toBeVisible()
  expect(server.requestsTo(shipItem)).toEqual([
    {
      params: { id: '1' },
      file: photo,
      fields: { carrier: 'ups', trackingNumber: '1Z999AA10123456784', note: 'Fragile' },
    },
  ])
  expect(await findStep('On its way')).toBeVisible()
})

test('a shipment can be corrected until it is delivered, and needs a proof if it has no number', async () => {
  const unnumbered: Changes = { ...shipped, carrier: 'other', trackingNumber: null, trackingUrl: null }
  const server = open(
    'seller',
    unnumbered,
    answer(shipItem, aPayment(shipped)),
    answer(markDelivered, aPayment({ ...unnumbered, deliveredAt: inDays(0) })),
  )
  await press('Correct Details')
  await userEvent.type(screen.getByLabelText(/Tracking number/), '12345')
  await press('Save Changes')
  expect(await screen.findByText('Shipment updated')).toBeVisible()
  expect(server.requestsTo(shipItem)).toMatchObject([
    { file: null, fields: { carrier: 'other', trackingNumber: '12345' } },
  ])
  await press('Report Delivery')
  await press('Mark as Delivered')
  expect(screen.getByText('Add a file that shows the delivery')).toBeVisible()
  const proof = new File(['%PDF'], 'receipt.pdf', { type: 'application/pdf' })
  await userEvent.upload(screen.getByLabelText(/Proof of delivery/), proof)
  await press('Mark as Delivered')
  expect(await screen.findByText('Marked as delivered')).toBeVisible()
  expect(server.requestsTo(markDelivered)).toEqual([{ params: { id: '1' }, file: proof, fields: {} }])
})

test('the buyer follows the parcel, then confirms the delivery', async () => {
  open('buyer', { ...shipped, shipmentNote: 'Fragile', shipmentPhoto: '/files/1' })
  expect(await findStep('On its way to you')).toBeVisible()
  expect(link('Track Parcel')).toBe(shipped.trackingUrl)
  expect(link('Confirm Delivery')).toBe('/delivery/1')
  const parcel = screen.getByRole('region', { name: 'Parcel' })
  expect(parcel).toHaveTextContent('CarrierUPS')
  expect(parcel).toHaveTextContent('Fragile')
  expect(within(parcel).getByRole('img', { name: 'The parcel or its label' })).toHaveAttribute(
    'src',
    '/files/1',
  )
  expect(within(parcel).queryByRole('button')).not.toBeInTheDocument()
  expect(
    screen.getByText('Released to the seller on November 22, 2026, unless a problem is reported'),
  ).toBeVisible()
  expect(screen.queryByRole('button', { name: /Cancel/ })).not.toBeInTheDocument()
  cleanup()

  open('buyer', { ...shipped, deliveredAt: inDays(0), deliveryProof: '/files/2' })
  expect(await findStep('Check the item')).toBeVisible()
  expect(link('View file')).toBe('/files/2')
  const path = screen.getByRole('list', { name: 'Payment progress' })
  expect(path).toHaveTextContent(`Delivered${shortDate(inDays(0))}`)
  expect(path).toHaveTextContent('Releasedby Nov 22')
})

test('at a handover in person the buyer shows a code, and the seller enters it', async () => {
  open('buyer', { delivery: 'in_person', handoverCode: '042817' })
  expect(await screen.findByText('042 817')).toBeVisible()
  expect(screen.getByRole('img', { name: 'QR code of the handover code' })).toBeVisible()
  expect(link('Confirm Without the Code')).toBe('/delivery/1')
  cleanup()

  const server = open('seller', { delivery: 'in_person' }, refuse(handOver, 'handover_code_wrong'))
  expect(await findStep('Meet Ada Buyer')).toBeVisible()
  const field = screen.getByLabelText('Handover code')
  expect(field).toHaveAttribute('inputmode', 'numeric')
  await userEvent.type(field, '04281')
  await press('Confirm Handover')
  expect(screen.getByText('Enter the 6 digits')).toBeVisible()
  await userEvent.type(field, '6')
  await press('Confirm Handover')
  expect(await screen.findByText('This code is wrong. Ask the buyer to show it again.')).toBeVisible()
  server.add(
    answer(handOver, aPayment({ delivery: 'in_person', status: 'completed' })),
    answer(getPayment, aPayment({ delivery: 'in_person', status: 'completed' })),
  )
  await userEvent.clear(field)
  await userEvent.type(field, '042 817')
  await press('Confirm Handover')
  expect(await screen.findByText('Handover confirmed!')).toBeVisible()
  expect(server.requestsTo(handOver).at(-1)).toEqual({ params: { id: '1' }, body: { code: '042817' } })
  expect(await findStep('This deal is complete')).toBeVisible()
})

test('the code in a scanned link is filled in', async () => {
  openScreen('/deal/1#042817', {
    user: aSellerUser(),
    answers: [answer(getPayment, aPayment({ delivery: 'in_person' })), answer(listPayouts, [])],
  })
  expect(await screen.findByLabelText('Handover code')).toHaveValue('042817')
})

test('after too many wrong codes, no more can be entered', async () => {
  open('seller', { delivery: 'in_person' }, refuse(handOver, 'handover_locked'))
  await userEvent.type(await screen.findByLabelText('Handover code'), '111111')
  await press('Confirm Handover')
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many wrong codes')
  expect(screen.queryByLabelText('Handover code')).not.toBeInTheDocument()
})

test('a cancellation that the buyer asked for does not count against the seller', async () => {
  const asked: Changes = { ...toShip, cancelRequestedAt: inDays(-1), cancelReason: 'Found another' }
  const server = open('seller', asked, answer(cancelPayment, aPayment({ ...asked, status: 'refunded' })))
  expect(await screen.findByText('Ada Buyer asks to cancel this deal')).toBeVisible()
  expect(screen.getByText('Found another')).toBeVisible()
  await press('Accept Cancellation')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Accept the cancellation?' }))
  expect(dialog.getByText(/It does not count as a cancellation by you/)).toBeVisible()
  await userEvent.type(dialog.getByLabelText('Reason'), 'Agreed')
  await userEvent.click(dialog.getByRole('button', { name: 'Refund $120.00' }))
  await waitFor(() => expect(server.requestsTo(cancelPayment)).toHaveLength(1))
  cleanup()

  open('seller', toShip)
  await press('Cancel Deal')
  expect(await screen.findByText(/Your public profile counts the deal as cancelled/)).toBeVisible()
  expect(screen.queryByText(/You then owe/)).not.toBeInTheDocument()
})

test.each([
  [{ amount: 378 }, 'You then owe the card fee of $3.78, which we take from your next payouts.'],
  [{ amount: null }, 'You then owe the card fee, which we take from your next payouts.'],
])('before a seller cancels, the dialog says what they will owe: %o', async (cancellationFee, text) => {
  open('seller', { ...toShip, cancellationFee })
  await press('Cancel Deal')
  const dialog = await screen.findByRole('alertdialog', { name: 'Cancel this deal?' })
  expect(dialog).toHaveTextContent(text)
  expect(dialog).toHaveTextContent('After several cancelled deals, you can make no new offers for a while.')
})

test('both parties see when the seller is paid at the earliest', async () => {
  for (const party of ['buyer', 'seller'] as const) {
    open(party, { payoutWaitsUntil: inDays(1) })
    expect(await screen.findByText('Seller is paid at the earliest on')).toBeVisible()
    cleanup()
  }
  open('buyer', { payoutWaitsUntil: inDays(-1) })
  expect(await screen.findByText('Transaction number')).toBeVisible()
  expect(screen.queryByText('Seller is paid at the earliest on')).not.toBeInTheDocument()
})

test.each([
  ['buyer', { status: 'pending', submittedAt: null }, 'Not paid yet'],
  ['buyer', { status: 'pending' }, 'Your payment is being processed'],
  ['buyer', {}, 'Have you received the item?'],
  ['buyer', { status: 'completed' }, 'This deal is complete'],
  ['buyer', { status: 'refunded', cancelledBy: 'seller' }, 'This deal was cancelled'],
  ['buyer', { status: 'refunded' }, 'The request was already paid'],
  ['buyer', { status: 'disputed' }, 'There is a dispute about this deal'],
  ['seller', { status: 'pending' }, 'Don’t deliver yet'],
  ['seller', {}, 'Deliver the item'],
  ['seller', { ...toShip, shipBy: inDays(-1) }, 'You are late: ship now'],
  ['seller', { ...shipped, deliveredAt: inDays(0) }, 'Waiting for Ada Buyer'],
  ['seller', { status: 'refunded', cancelledBy: 'clock' }, 'This deal was cancelled'],
  ['seller', { status: 'under_review' }, 'There is a dispute about this deal'],
] as const)('the next step for the %s of %o is shown', async (party, changes, title) => {
  open(party, changes)
  expect(await findStep(title)).toBeVisible()
})

test('a deal shows a loading state, and a deal of other people is not found', async () => {
  open('buyer', {}, neverAnswer(getPayment))
  expect(await screen.findByRole('status', { name: 'Loading...' })).toBeVisible()
  cleanup()
  open('buyer', {}, refuse(getPayment, 'payment_not_found'))
  expect(await screen.findByRole('heading', { name: 'Payment Not Found' })).toBeVisible()
  cleanup()
  openScreen('/deal/abc', { user: aUser() })
  expect(await screen.findByRole('heading', { name: 'Payment Not Found' })).toBeVisible()
})

test('the seller refunds the buyer after seeing who gives back how much', async () => {
  const refundable = {
    maxCents: 12_000,
    refundedCents: 0,
    sellerCents: 11_262,
    platformCents: 360,
    processingCents: 378,
  }
  const released = { status: 'completed', refundable } as const
  const server = open('seller', released, answer(refundBuyer, aPayment({ status: 'completed' })))
  await userEvent.click(await screen.findByRole('button', { name: 'Refund the Buyer' }))
  await userEvent.type(await screen.findByLabelText('Amount'), '40')
  await userEvent.type(screen.getByLabelText('Reason'), 'A part is missing')
  const dialog = screen.getByRole('alertdialog')
  expect(dialog).toHaveTextContent(/You give back\$37\.54/)
  expect(dialog).toHaveTextContent(/Fees given back\$2\.46/)
  await userEvent.click(screen.getByRole('button', { name: 'Refund $40.00' }))
  await waitFor(() =>
    expect(server.requestsTo(refundBuyer)).toMatchObject([
      { body: { amount: 4_000, reason: 'A part is missing' } },
    ]),
  )
})
