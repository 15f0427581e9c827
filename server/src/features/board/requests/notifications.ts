import { EXPIRY_NOTICE_DAYS, REQUEST_OPEN_DAYS } from '@sought/contract/constants'
import { paths } from '@sought/contract/paths'
import { defineNotification } from '../../notifications/define-notification.ts'

const MINUTE_MS = 60_000
/** Several edits within this time are announced once. */
const EDITING_MINUTES = 10

interface Change {
  wantedItemId: number
  ownerId: string
  /** The open offers that answer an earlier version. */
  offers: { id: number; sellerId: string }[]
}

export const requestChanged = defineNotification('request_changed', {
  to: ({ wantedItemId, ownerId, offers }: Change, now: Date) =>
    offers.map(({ id, sellerId: to }) => ({
      to,
      about: [id, Math.floor(now.getTime() / (EDITING_MINUTES * MINUTE_MS))],
      by: ownerId,
      wantedItemId,
    })),
  title: ({ itemTitle }) => `“${itemTitle}” has changed since your offer`,
  text: 'See what has changed. Then keep your offer, change it or withdraw it.',
  link: ({ itemId, actorId }) => ({
    path: paths.messages(actorId ? { itemId, userId: actorId } : { itemId }),
    action: 'See what has changed',
  }),
})

export const requestExpiring = defineNotification('request_expiring', {
  // The key contains the expiry, so the owner is asked again after a renewal.
  to: ({ id, userId: to, expiresAt }: { id: number; userId: string; expiresAt: Date }) => ({
    to,
    about: [id, expiresAt.getTime()],
    wantedItemId: id,
  }),
  title: ({ itemTitle }) => `Are you still looking for “${itemTitle}”?`,
  text: () =>
    `Your request expires in ${EXPIRY_NOTICE_DAYS} days. Renew it to stay on the board for another ${REQUEST_OPEN_DAYS} days.`,
  link: ({ itemId }) => ({ path: paths.myRequests({ renew: itemId }), action: 'Renew the request' }),
})
