import { listConversations } from '@sought/contract/messages'
import { listOffers } from '@sought/contract/offers'
import type { CallError } from './client.ts'

/** What every action on an offer changes. */
export const offerQueries = [listOffers, listConversations]

/** The spec fixes the description (§8), so the server's reason is the title. */
export const explainOfferFailure =
  (description: string) =>
  ({ userMessage }: CallError) => ({ title: userMessage ?? 'Error', description })
