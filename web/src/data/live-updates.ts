import { getCurrentUser, getUserStats, listPurchases } from '@sought/contract/accounts'
import type { Call } from '@sought/contract/call'
import { getDispute } from '@sought/contract/disputes'
import { getReceipt, getStatement, listStatements } from '@sought/contract/documents'
import type { Change } from '@sought/contract/events'
import { listConversations, listMessages } from '@sought/contract/messages'
import { countUnreadNotifications, listNotifications } from '@sought/contract/notifications'
import { listOffers, listOwnOffers, listReceivedOffers } from '@sought/contract/offers'
import { listOwnRequests } from '@sought/contract/own-requests'
import { getPayment, getPaymentSummary, listPayments } from '@sought/contract/payments'
import { getConfig, listenToEvents } from '@sought/contract/platform'
import { getWantedItem } from '@sought/contract/requests'
import { getStripeConnectStatus, listPayouts } from '@sought/contract/sellers'
import type { QueryClient } from '@tanstack/react-query'
import { refresh } from './calls.ts'
import { showTyping } from './typing.ts'

/* Loaded only for signed-in users: visitors get no updates. */

const REOPEN_MS = 10_000

const paymentCalls = [
  listPayments,
  getPayment,
  getPaymentSummary,
  getDispute,
  listPayouts,
  getStripeConnectStatus,
  getUserStats,
  listPurchases,
  getReceipt,
  listStatements,
  getStatement,
  // A payment reserves its request.
  getWantedItem,
]

/** Requests and offers with their counts and next steps. */
const overviewCalls = [listOwnRequests, listOwnOffers]

const offerCalls = [listOffers, listReceivedOffers]

const notificationCalls = [listNotifications, countUnreadNotifications]

/** The calls to refresh after each kind of change. */
const callsToRefresh = {
  messages: [listMessages, listConversations, ...overviewCalls],
  offers: [...offerCalls, listConversations, getWantedItem, ...overviewCalls],
  payments: [...paymentCalls, ...overviewCalls],
  notifications: notificationCalls,
  everything: [
    getCurrentUser,
    // A process that has not noticed a change of the settings yet puts the former ones into its pages.
    getConfig,
    listMessages,
    listConversations,
    ...offerCalls,
    ...overviewCalls,
    ...paymentCalls,
    ...notificationCalls,
  ],
} satisfies Record<Exclude<Change['about'], 'typing'>, readonly Call[]>

/** Refreshes data when the server reports changes, until the returned function is called. */
export function listenForUpdates(cache: QueryClient): () => void {
  let stream: EventSource
  let reopenTimer: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    stream = new EventSource(listenToEvents.path)
    stream.onmessage = ({ data }) => {
      const change: Change = JSON.parse(data)
      if (change.about === 'typing') showTyping(change)
      else void refresh(cache, callsToRefresh[change.about])
    }
    stream.onerror = () => {
      // The browser reconnects after a dropped connection, but not after a refusal, because the session may have
      // ended.
      if (stream.readyState !== EventSource.CLOSED) return
      void refresh(cache, [getCurrentUser])
      reopenTimer = setTimeout(open, REOPEN_MS)
    }
  }
  open()
  return () => {
    clearTimeout(reopenTimer)
    stream.close()
  }
}
