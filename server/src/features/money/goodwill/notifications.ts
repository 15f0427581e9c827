import { defineNotification } from '../../notifications/define-notification.ts'
import { openPayments } from '../payments/notifications/links.ts'

interface Goodwill {
  id: number
  paymentId: number
  recipientId: string
  amountCents: number
}

const toRecipient = ({ id, paymentId, recipientId: to, amountCents: amount }: Goodwill) => ({
  to,
  about: [id],
  paymentId,
  amount,
})

/** The platform owes a party a goodwill payment. */
export const goodwillGranted = defineNotification('goodwill', {
  isAboutMoney: true,
  to: toRecipient,
  title: ({ itemTitle, amount }) => `You will get ${amount} for “${itemTitle}”`,
  text: 'Our team has granted you a goodwill payment. We’ll contact you about how you get it.',
  link: openPayments,
})

/** An admin has paid it. */
export const goodwillPaid = defineNotification('goodwill_paid', {
  kind: 'goodwill',
  isAboutMoney: true,
  to: toRecipient,
  title: ({ itemTitle, amount }) => `We paid you ${amount} for “${itemTitle}”`,
  text: 'Your goodwill payment is on its way to you.',
  link: openPayments,
})
