import { getCurrentUser, getUserStats, listPurchases } from '@sought/contract/accounts'
import type { Call } from '@sought/contract/call'
import { getDispute } from '@sought/contract/disputes'
import type { Change } from '@sought/contract/events'
import { listConversations, listMessages } from '@sought/contract/messages'
import { countUnreadNotifications, listNotifications } from '@sought/contract/notifications'
import { listOffers } from '@sought/contract/offers'
import { getPayment, getPaymentSummary, listPayments } from '@sought/contract/payments'
import { listenToEvents } from '@sought/contract/platform'
import { getStripeConnectStatus, listPayouts } from '@sought/contract/sellers'
import type { QueryClient } from '@tanstack/react-query'
import { refresh } from './calls.ts'

/* Fetched by the signed in alone: a visitor has no news to wait for. */

const REOPEN_MS = 10_000

const money = [
  listPayments,
  getPayment,
  getPaymentSummary,
  getDispute,
  listPayouts,
  getStripeConnectStatus,
  getUserStats,
  listPurchases,
]

const bell = [listNotifications, countUnreadNotifications]

/** What to read again after each kind of news. */
const touched = {
  messages: [listMessages, listConversations],
  offers: [listOffers, listConversations],
  payments: money,
  notifications: bell,
  everything: [getCurrentUser, listMessages, listConversations, listOffers, ...money, ...bell],
} satisfies Record<Change['about'], readonly Call[]>

/** Listens to the server's news until the returned function is called. */
export function listen(cache: QueryClient): () => void {
  let stream: EventSource
  let reopening: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    stream = new EventSource(listenToEvents.path)
    stream.onmessage = ({ data }) => {
      const { about }: Change = JSON.parse(data)
      void refresh(cache, touched[about])
    }
    stream.onerror = () => {
      // A cut is mended by the browser itself. A refusal is not: perhaps the session has ended.
      if (stream.readyState !== EventSource.CLOSED) return
      void refresh(cache, [getCurrentUser])
      reopening = setTimeout(open, REOPEN_MS)
    }
  }
  open()
  return () => {
    clearTimeout(reopening)
    stream.close()
  }
}
