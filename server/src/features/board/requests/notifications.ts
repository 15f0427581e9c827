import { EXPIRY_NOTICE_DAYS, REQUEST_OPEN_DAYS } from '@sought/contract/constants'
import { paths } from '@sought/contract/paths'
import { defineNotification } from '../../notifications/define-notification.ts'

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
