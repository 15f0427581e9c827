import { listConversations, listMessages } from '@sought/contract/messages'
import { acceptOffer, keepOffer, listOffers } from '@sought/contract/offers'
import { listPayments } from '@sought/contract/payments'
import { getWantedItem, listRequestVersions, type RequestVersion } from '@sought/contract/requests'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import {
  aConversation,
  anAcceptedOffer,
  anOffer,
  aRequest,
  aSeller,
  aSellerUser,
  aUser,
  aVersion,
} from '../../../testing/samples.ts'

const buyer = aUser()
const asOthersSee = ({ id, name, rating, profileImageUrl }: typeof buyer) => ({
  id,
  name,
  rating,
  profileImageUrl,
})
const createdAt = '2026-11-15T11:00:00.000Z'
const lamp = aVersion()
const watch = aVersion({ version: 2, title: 'Rolex Submariner', maxBudget: 10_000 })
const versions = (...all: RequestVersion[]) =>
  answer(
    listRequestVersions,
    all.map((it) => ({ ...it, createdAt })),
  )

const thread = [
  answer(listMessages, []),
  answer(listPayments, []),
  answer(getWantedItem, aRequest({ title: watch.title, version: 2 })),
]

const openAsBuyer = (...answers: Answer[]) =>
  openScreen(`/messages?itemId=3&userId=${aSeller.id}`, {
    user: buyer,
    answers: [...thread, answer(listConversations, [aConversation()]), ...answers],
  })

const openAsSeller = (...answers: Answer[]) =>
  openScreen(`/messages?itemId=3&userId=${buyer.id}`, {
    user: aSellerUser(),
    answers: [
      ...thread,
      answer(listConversations, [aConversation({ user: asOthersSee(buyer) })]),
      ...answers,
    ],
  })

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('a buyer sees what has changed since the offer before accepting it', async () => {
  const offer = anOffer({ currentVersion: 2 })
  const server = openAsBuyer(
    answer(listOffers, [offer]),
    versions(lamp, watch),
    answer(acceptOffer, anAcceptedOffer()),
  )
  expect(await screen.findByText('The request has changed since this offer.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Keep Offer' })).not.toBeInTheDocument()
  await press('Accept')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Accept $40.00?' }))
  const [title, budget] = dialog.getAllByRole('definition')
  expect(title).toHaveTextContent('Before: A green lampAfter: Rolex Submariner')
  expect(budget).toHaveTextContent('Before: $20 – $120After: $20 – $10,000')
  expect(dialog.getByText('You agree on “A green lamp” (version 1).')).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Accept $40.00' }))
  expect(await screen.findByText('Offer Accepted!')).toBeVisible()
  expect(server.requestsTo(acceptOffer)).toHaveLength(1)
})

test('a seller sees what a counter-offer changes before accepting it', async () => {
  const counter = anOffer({
    id: 6,
    proposedBy: 'buyer',
    counterOf: 5,
    amount: 3_000,
    request: watch,
    currentVersion: 2,
  })
  openAsSeller(answer(listOffers, [counter, anOffer({ currentVersion: 2 })]), versions(lamp, watch))
  await press('Accept')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Accept $30.00?' }))
  expect(
    dialog.getByText('The request has changed since the offer that this counter-offer answers.'),
  ).toBeVisible()
  expect(dialog.getByText('You agree on “Rolex Submariner” (version 2).')).toBeVisible()
})

test('a seller keeps an offer on the version they see', async () => {
  const server = openAsSeller(
    answer(listOffers, [anOffer({ currentVersion: 2 })]),
    versions(lamp, watch),
    answer(keepOffer, anOffer({ request: watch, currentVersion: 2 })),
  )
  await press('Keep Offer')
  server.add(answer(listOffers, [anOffer({ request: watch, currentVersion: 2 })]))
  await press('Keep $40.00')
  expect(await screen.findByText('Offer Kept')).toBeVisible()
  expect(server.requestsTo(keepOffer)).toMatchObject([{ params: { id: '5' }, body: { requestVersion: 2 } }])
  expect(screen.queryByText('The request has changed since this offer.')).not.toBeInTheDocument()
})

test('nothing is shown if the edit was taken back', async () => {
  openAsBuyer(
    answer(listOffers, [anOffer({ currentVersion: 3 })]),
    versions(lamp, watch, { ...lamp, version: 3 }),
  )
  await press('Accept')
  expect(await screen.findByRole('alertdialog')).not.toHaveTextContent('has changed')
})

test('an accepted offer leads to the versions of the request', async () => {
  openAsBuyer(answer(listOffers, [{ ...anAcceptedOffer(), currentVersion: 2 }]), versions(lamp, watch))
  await press('As agreed (version 1)')
  const dialog = within(await screen.findByRole('dialog', { name: 'Versions of the request' }))
  const [first, second] = await dialog.findAllByRole('listitem')
  expect(first).toHaveTextContent(/Version 1.*Agreed.*A green lamp/)
  expect(second).toHaveTextContent('Rolex Submariner')
  expect(second).not.toHaveTextContent('Agreed')
})
