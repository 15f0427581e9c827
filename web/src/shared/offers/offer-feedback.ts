import { listConversations } from '@sought/contract/messages'
import { listOffers, listOwnOffers, listReceivedOffers } from '@sought/contract/offers'
import { listOwnRequests } from '@sought/contract/own-requests'
import type { CallError } from '../../data/client.ts'

/** The queries that every action on an offer changes. */
export const offerQueries = [
  listOffers,
  listReceivedOffers,
  listOwnOffers,
  listOwnRequests,
  listConversations,
]

/** The description is always the same, so the server's reason is the title. */
export const explainOfferFailure =
  (description: string) =>
  ({ userMessage }: CallError) => ({ title: userMessage ?? 'Error', description })
