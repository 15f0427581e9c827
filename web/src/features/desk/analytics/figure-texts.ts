import type { Figure } from '@sought/contract/analytics'

type Unit = 'count' | 'cents'

interface FigureText {
  label: string
  /** How it is counted. */
  definition: string
  unit?: Unit
}

/** The figures on the screen, in this order. Times and promises have their own section. */
export const figureTexts = {
  requests: { label: 'Requests', definition: 'Requests posted, by the day they were posted.' },
  offers: {
    label: 'Offers',
    definition: 'Offers of sellers and counter-offers of buyers, by the day they were made.',
  },
  accepted: { label: 'Accepted offers', definition: 'Offers that were accepted, by the day of acceptance.' },
  paid: { label: 'Payments', definition: 'Payments that reached escrow, by the day the card was charged.' },
  released: {
    label: 'Released',
    definition: 'Payments released to the seller, after delivery or by a ruling, by the day of release.',
  },
  refunded: {
    label: 'Refunded',
    definition: 'Payments returned to the buyer in full: cancelled, ruled for the buyer, or taken by a bank.',
  },
  partial: { label: 'Partly refunded', definition: 'Payments divided between buyer and seller.' },
  volume: { label: 'Volume', definition: 'The amounts of all payments that reached escrow.', unit: 'cents' },
  fees: {
    label: 'Platform fees',
    definition: 'Platform fees credited in the ledger, less what was reversed, by the day of the entry.',
    unit: 'cents',
  },
  processingFees: {
    label: 'Processing fees',
    definition: 'What sellers paid towards card processing.',
    unit: 'cents',
  },
  providerCosts: {
    label: 'Provider costs',
    definition: 'What the card provider kept for charges and chargebacks.',
    unit: 'cents',
  },
  losses: {
    label: 'Losses',
    definition: 'Chargebacks and refunds that the platform had to pay. Negative if money came back.',
    unit: 'cents',
  },
  goodwill: { label: 'Goodwill', definition: 'Payments from the platform’s own money.', unit: 'cents' },
  newUsers: { label: 'New users', definition: 'Accounts created.' },
  returning: {
    label: 'Payments by returning users',
    definition: 'Payments of buyers whose account was created on an earlier day.',
  },
  disputed: {
    label: 'Disputes',
    definition: 'Disputes opened by buyers and by banks, by the day of filing.',
  },
} as const satisfies Partial<Record<Figure, FigureText>>

export type ListedFigure = keyof typeof figureTexts

export const textOf = (figure: ListedFigure): FigureText => figureTexts[figure]

export const listedFigures = Object.keys(figureTexts) as ListedFigure[]
