import { EVIDENCE_MAX_FILES } from '@sought/contract/constants'
import { paths } from '@sought/contract/paths'
import { EMAIL_UNDO_HOURS } from '@sought/contract/security'
import { PAYOUT_WAIT_HOURS } from '@sought/contract/sellers'
import type { SupportTopic } from '@sought/contract/support'
import {
  ADDRESS_KEPT_DAYS,
  BUYER_MAY_CANCEL_AFTER_DAYS,
  CANCELLED_AFTER_DAYS,
  HANDOVER_CODE_DIGITS,
  HOLD_DAYS_AFTER_DELIVERY,
  HOLD_DAYS_AFTER_SHIPPING,
} from '@sought/escrow/delivery'
import {
  disputeTimes,
  EVIDENCE_MAX_SIZE,
  HIGH_VALUE,
  type MarketFigures,
  PAYOUT_TIME,
  refundTimes,
  WITHDRAWAL_HOLD_HOURS,
} from '../../shared/policies/policy-figures.ts'

export interface HelpAnswer {
  /** The anchor that other pages and emails link to, so it must never change. */
  id: string
  question: string
  paragraphs: readonly string[]
  links?: readonly { label: string; path: string }[]
}

export interface HelpGroup {
  topic: SupportTopic
  title: string
  answers: readonly HelpAnswer[]
}

const transactions = { label: 'My Transactions', path: paths.payments() }
const sellerSetup = { label: 'Seller Setup', path: paths.sellerSetup() }
const security = { label: 'Security settings', path: paths.profile({ tab: 'security' }) }
const policy = (label: string, path: string, section: string) => ({ label, path: `${path}#${section}` })

/** Written from the policies, with the same figures. If the two ever differ, the policies apply. */
export const listHelp = (figures: MarketFigures): readonly HelpGroup[] => [
  {
    topic: 'buying',
    title: 'Buying',
    answers: [
      {
        id: 'post-a-request',
        question: 'How do I post a request?',
        paragraphs: [
          'Choose Post in the header. Say what you want, where you are, how soon you need it and what you are willing to pay. A picture is optional.',
          'Posting is free and does not oblige you to buy. Your request is public, so leave out phone numbers and payment details.',
        ],
        links: [policy('Rules for requests', paths.termsOfService(), 'requests')],
      },
      {
        id: 'answer-an-offer',
        question: 'How do I accept or reject an offer?',
        paragraphs: [
          `Open the conversation with the seller in Messages. You can accept or reject the offer there, or suggest another price. An offer expires after ${figures.offerExpiryDays} days.`,
          'Accepting makes the sale: you pay the price into escrow, and the seller delivers. Before you accept, ask for photographs and agree on how and when the item is delivered.',
        ],
        links: [policy('Offers and acceptance', paths.termsOfService(), 'offers')],
      },
      {
        id: 'what-buyers-pay',
        question: 'What do I pay as a buyer?',
        paragraphs: ['Exactly the price of the offer. Both fees are taken from the seller’s amount.'],
        links: [policy('Fees', paths.termsOfService(), 'fees')],
      },
      {
        id: 'confirm-delivery',
        question: 'When should I confirm delivery?',
        paragraphs: [
          'When you have the item and have tried it. Confirming releases the money to the seller and cannot be undone.',
          'If something is wrong, report the problem instead of confirming. The money then stays in escrow.',
        ],
        links: [transactions],
      },
      {
        id: 'not-shipped',
        question: 'What happens if the seller does not ship?',
        paragraphs: [
          `If the offer names a date to ship by, the money is never released before the item is shipped. You may cancel alone from ${BUYER_MAY_CANCEL_AFTER_DAYS} days after that date. After ${CANCELLED_AFTER_DAYS} days the deal is cancelled automatically. You get the whole amount back.`,
        ],
        links: [transactions],
      },
      {
        id: 'cancel-a-deal',
        question: 'Can I cancel after I have paid?',
        paragraphs: [
          'Until the item is shipped you can ask the seller to cancel, on the page of the deal. If the seller agrees, you get the whole amount back and your request opens again.',
        ],
        links: [transactions],
      },
      {
        id: 'hand-over',
        question: 'How does a handover in person work?',
        paragraphs: [
          `Check the item when you meet, then show the seller the QR code or the ${HANDOVER_CODE_DIGITS} digits on the page of the deal. The seller scans or enters the code, which releases the money. Never send the code in a message.`,
        ],
        links: [transactions],
      },
      {
        id: 'delivery-address',
        question: 'Who sees my delivery address?',
        paragraphs: [
          `Only the seller of that deal, after you have paid. We store it in encrypted form and erase it ${ADDRESS_KEPT_DAYS} days after the deal has ended.`,
        ],
      },
    ],
  },
  {
    topic: 'selling',
    title: 'Selling',
    answers: [
      {
        id: 'make-an-offer',
        question: 'How do I make an offer?',
        paragraphs: [
          `Open a request, choose Contact Buyer and set your price next to the conversation. It must not exceed the buyer’s maximum budget. The offer is binding and expires after ${figures.offerExpiryDays} days; until the buyer answers you can withdraw it.`,
        ],
        links: [policy('Offers and acceptance', paths.termsOfService(), 'offers')],
      },
      {
        id: 'when-to-ship',
        question: 'When should I send the item?',
        paragraphs: [
          'When the payment shows as In Escrow, not before. An accepted offer alone does not mean that the buyer has paid.',
          'Send with tracking and keep the proof of delivery: it decides most disputes.',
          `Report the shipment on the page of the deal. The money then stays in escrow for at least ${HOLD_DAYS_AFTER_SHIPPING} days after shipping and ${HOLD_DAYS_AFTER_DELIVERY} days after delivery, unless the buyer confirms earlier.`,
        ],
        links: [transactions],
      },
      {
        id: 'fees',
        question: 'Which fees do sellers pay?',
        paragraphs: [
          `A platform fee of ${figures.rates.platform} and a card processing fee of ${figures.rates.card}, both taken when the money is released. For a sale at ${figures.feeExample.amount} they are ${figures.feeExample.platform} and ${figures.feeExample.card}, so you receive ${figures.feeExample.payout}.`,
          'Posting, messages and offers are free.',
        ],
        links: [policy('Fees and payouts', paths.termsOfService(), 'fees')],
      },
      {
        id: 'set-up-payouts',
        question: 'How do I get paid?',
        paragraphs: [
          'Open Seller Setup and connect a payout account, or save your bank details. Until then we keep released money for you.',
          `Released money reaches your bank in ${PAYOUT_TIME}.`,
        ],
        links: [sellerSetup],
      },
      {
        id: 'payouts-wait',
        question: 'Why does my payout wait?',
        paragraphs: [
          `After you change your payout account, payouts wait ${PAYOUT_WAIT_HOURS} hours. This protects you if somebody else made the change. A payout also waits while a bank reviews the payment.`,
        ],
        links: [sellerSetup],
      },
    ],
  },
  {
    topic: 'payments',
    title: 'Payments and escrow',
    answers: [
      {
        id: 'how-escrow-works',
        question: 'How does escrow work?',
        paragraphs: [
          'You pay by card, and our payment provider holds the money. Neither side can withdraw it. It goes to the seller when you confirm delivery, or automatically when the escrow period ends and no dispute is open.',
          `The escrow period is ${figures.holdDays} days from the payment, and ${figures.holdDaysHighValue} days for items of ${HIGH_VALUE} and over.`,
        ],
        links: [policy('Payments and escrow', paths.termsOfService(), 'payments-and-escrow')],
      },
      {
        id: 'card-declined',
        question: 'Why was my card declined?',
        paragraphs: [
          'Your bank decides, and often does not tell us why. Check the card number, the expiry date and the security code, or use another card. If that does not help, ask your bank. A declined card is not charged, and your accepted offer stays open.',
        ],
      },
      {
        id: 'transaction-number',
        question: 'Where do I find the transaction number?',
        paragraphs: [
          'In My Transactions, on the receipt and in every email about the payment. Give it to us when you write about a payment.',
        ],
        links: [transactions],
      },
      {
        id: 'refund-arrival',
        question: 'When does my refund arrive?',
        paragraphs: [
          `We send a refund in ${disputeTimes.funds}. Then your bank needs time: ${refundTimes.card} for a card, ${refundTimes.bank} for a bank account, ${refundTimes.wallet} for a digital wallet. It always goes back to the payment method you used.`,
        ],
        links: [policy('Refund methods', paths.refundPolicy(), 'methods')],
      },
      {
        id: 'pay-outside',
        question: 'Somebody asks me to pay outside Sought. What should I do?',
        paragraphs: [
          'Do not pay, and tell us below. It is not allowed, and escrow does not protect money that is paid elsewhere.',
        ],
        links: [policy('What is not allowed', paths.termsOfService(), 'prohibited')],
      },
    ],
  },
  {
    topic: 'disputes',
    title: 'Problems and disputes',
    answers: [
      {
        id: 'report-a-problem',
        question: 'My item has not arrived, or it is not as agreed. What can I do?',
        paragraphs: [
          `Write to the seller in Messages first and give them ${disputeTimes.directContact} to answer. If that does not help, choose Report Issue next to the payment in My Transactions. The money stays in escrow until the case is decided or withdrawn.`,
          'If the escrow period is about to end, do not wait: report the problem and keep talking.',
        ],
        links: [transactions, policy('How to file', paths.disputeResolution(), 'how-to-file')],
      },
      {
        id: 'filing-window',
        question: 'How long can I report a problem?',
        paragraphs: [
          `While the money is in escrow, and until ${disputeTimes.filingWindow} from delivery confirmation or auto-release. Once the money is released, write to us with the form below.`,
        ],
        links: [policy('How long you have to file', paths.disputeResolution(), 'filing-window')],
      },
      {
        id: 'dispute-times',
        question: 'How long does a dispute take?',
        paragraphs: [
          `We review it within ${disputeTimes.initialReview}, investigate for ${disputeTimes.investigation} and decide within ${disputeTimes.decision}. High-value, multi-party and fraud cases may take longer.`,
        ],
        links: [policy('Timeline', paths.disputeResolution(), 'timeline')],
      },
      {
        id: 'evidence',
        question: 'Which evidence helps?',
        paragraphs: [
          `Photographs of the item, the fault and the packaging, messages in which you agreed on something, and proof of delivery. Each side may attach up to ${EVIDENCE_MAX_FILES} files of at most ${EVIDENCE_MAX_SIZE} each.`,
        ],
        links: [policy('Evidence that helps', paths.disputeResolution(), 'evidence')],
      },
      {
        id: 'seller-in-dispute',
        question: 'A buyer opened a dispute about my sale. What now?',
        paragraphs: [
          'Open the payment in My Transactions, answer in writing and attach your evidence. You can also propose a settlement. We hear both sides before we decide.',
        ],
        links: [transactions, policy('Possible outcomes', paths.disputeResolution(), 'outcomes')],
      },
      {
        id: 'withdraw-a-dispute',
        question: 'Can I withdraw a dispute?',
        paragraphs: [
          `Yes, until it is decided. The money then stays in escrow for the rest of the original period, and for at least ${WITHDRAWAL_HOLD_HOURS} hours.`,
        ],
      },
      {
        id: 'appeal',
        question: 'How do I appeal against a decision?',
        paragraphs: [
          `Write to us with the form below within ${disputeTimes.appealWindow} of the ruling. Choose the payment and say what is new or what we overlooked. Somebody who did not take part in the first decision reviews the case, in up to ${disputeTimes.appealReview}.`,
        ],
        links: [policy('Appeals', paths.disputeResolution(), 'appeals')],
      },
    ],
  },
  {
    topic: 'account',
    title: 'Account and security',
    answers: [
      {
        id: 'forgot-password',
        question: 'I forgot my password.',
        paragraphs: [
          'Request a link to set a new one. It works once and expires after an hour. If no email arrives, look in your spam folder and check the address.',
        ],
        links: [{ label: 'Reset your password', path: paths.forgotPassword() }],
      },
      {
        id: 'account-taken',
        question: 'I think that somebody else has access to my account.',
        paragraphs: [
          'Change your password now: this signs out all other devices. Then check your devices, your email address and your payout account.',
          `If your email address was changed, undo it with the link that we sent to your old address. It works for ${EMAIL_UNDO_HOURS} hours. If you can no longer sign in, write to us below.`,
        ],
        links: [security],
      },
      {
        id: 'second-factor',
        question: 'How do I protect my account?',
        paragraphs: [
          'Add a passkey or an authenticator app in your security settings, and keep the recovery codes in a safe place. We never ask for your password or a code.',
        ],
        links: [security],
      },
      {
        id: 'emails',
        question: 'How do I get fewer emails?',
        paragraphs: [
          'Switch off each kind of email in your settings. Emails about the security of your account are always sent.',
        ],
        links: [{ label: 'Email settings', path: paths.profile({ tab: 'settings' }) }],
      },
      {
        id: 'delete-account',
        question: 'How do I download my data or delete my account?',
        paragraphs: [
          'Both are in your profile, under Security. You cannot delete your account while you have a payment in escrow, an open dispute or a pending payout.',
        ],
        links: [security, policy('What is erased and kept', paths.privacyPolicy(), 'deletion')],
      },
    ],
  },
]
