import type { ReactNode } from 'react'
import { classNames } from '../../ui/base/class-names.ts'

/**
 * The progress of a payment. The first seven places are the usual path, followed by refunds without a dispute, then
 * disputes.
 */
export type PaymentPlace =
  | 'unpaid'
  | 'waiting'
  | 'paying'
  | 'paid'
  | 'escrow'
  | 'delivered'
  | 'released'
  | 'returned'
  | 'cancelled'
  | 'disputed'
  | 'refunded'
  | 'shared'
  | 'released-after-dispute'

type Picture = 'card' | 'safe' | 'parcel' | 'purse' | 'scales' | 'return' | 'halves'

type StopName = 'paid' | 'escrow' | 'delivered' | 'released' | 'disputed' | 'ended'

/** Dates below the stops, such as 'Nov 22' or 'by Nov 22'. */
export type PathDates = Partial<Record<StopName, string>>

interface Stop {
  name: StopName
  label: string
  picture: Picture
}

const paid: Stop = { name: 'paid', label: 'Paid', picture: 'card' }
const escrow: Stop = { name: 'escrow', label: 'In escrow', picture: 'safe' }
const delivered: Stop = { name: 'delivered', label: 'Delivered', picture: 'parcel' }
const released: Stop = { name: 'released', label: 'Released', picture: 'purse' }
const disputed: Stop = { name: 'disputed', label: 'Disputed', picture: 'scales' }
const refunded: Stop = { name: 'ended', label: 'Refunded', picture: 'return' }

const usualStops = [paid, escrow, delivered, released]

type PathReader = 'buyer' | 'seller'

interface PathState {
  stops: readonly Stop[]
  /** The number of stops that the money has reached. The last reached stop is where it is now. */
  reached: number
  /** By default 'accent'. */
  tone?: 'accent' | 'danger'
  /** Describes the drawing for screen readers. A single text if buyer and seller get the same one. */
  description: string | Record<PathReader, string>
}

const pathStates = {
  unpaid: {
    stops: [{ ...paid, label: 'You pay' }, escrow, delivered, released],
    reached: 0,
    description: 'Not paid yet. The money will be held in escrow and released after delivery.',
  },
  waiting: {
    stops: [{ ...paid, label: 'Waiting' }, escrow, delivered, released],
    reached: 0,
    description: 'The payment was started, but the money has not arrived yet.',
  },
  paying: {
    stops: [{ ...paid, label: 'Processing' }, escrow, delivered, released],
    reached: 1,
    description: 'The card payment is being processed.',
  },
  paid: { stops: usualStops, reached: 1, description: 'Paid. The money is on its way into escrow.' },
  escrow: { stops: usualStops, reached: 2, description: 'The money is held in escrow.' },
  delivered: {
    stops: usualStops,
    reached: 3,
    description: {
      buyer: 'Delivered. The money is released to the seller after you have checked the item.',
      seller: 'Delivered. The money is released to you after the buyer has checked the item.',
    },
  },
  released: {
    stops: usualStops,
    reached: 4,
    description: { buyer: 'Released to the seller.', seller: 'Released to you.' },
  },
  returned: {
    stops: [paid, refunded],
    reached: 2,
    description: {
      buyer: 'Refunded to you: this request was already paid.',
      seller: 'Refunded to the buyer: this request was already paid.',
    },
  },
  cancelled: {
    stops: [paid, escrow, refunded],
    reached: 3,
    description: {
      buyer: 'The deal was cancelled. Refunded to you.',
      seller: 'The deal was cancelled. Refunded to the buyer.',
    },
  },
  disputed: {
    stops: [paid, escrow, disputed, { name: 'ended', label: 'Decided', picture: 'purse' }],
    reached: 3,
    tone: 'danger',
    description: 'In dispute. The money stays in escrow until we decide.',
  },
  refunded: {
    stops: [paid, escrow, disputed, refunded],
    reached: 4,
    description: {
      buyer: 'Decided after a dispute: refunded to you.',
      seller: 'Decided after a dispute: refunded to the buyer.',
    },
  },
  shared: {
    stops: [paid, escrow, disputed, { name: 'ended', label: 'Split', picture: 'halves' }],
    reached: 4,
    description: 'Decided after a dispute: split between buyer and seller.',
  },
  'released-after-dispute': {
    stops: [paid, escrow, disputed, released],
    reached: 4,
    description: {
      buyer: 'Decided after a dispute: released to the seller.',
      seller: 'Decided after a dispute: released to you.',
    },
  },
} satisfies Record<PaymentPlace, PathState>

export interface PaymentPathProps {
  at: PaymentPlace
  reader?: PathReader
  dates?: PathDates | undefined
  /** A line under the drawing, such as the release date. */
  note?: ReactNode
  className?: string | undefined
}

/** The progress of a payment. It looks the same on all screens, so that people learn it once. */
export function PaymentPath({ at, reader = 'buyer', dates = {}, note, className }: PaymentPathProps) {
  const { stops, reached, tone = 'accent', description }: PathState = pathStates[at]
  return (
    <figure className={classNames('min-w-0', className)}>
      <ol aria-label="Payment progress" className="grid auto-cols-fr grid-flow-col">
        {stops.map((stop, index) => (
          <StopItem
            key={stop.label}
            stop={stop}
            date={dates[stop.name]}
            isFirst={index === 0}
            state={index + 1 < reached ? 'done' : index + 1 === reached ? 'current' : 'upcoming'}
            tone={index + 1 === reached ? tone : 'accent'}
          />
        ))}
      </ol>
      <figcaption className={note ? 'mt-3 text-center text-fine text-ink-soft' : 'sr-only'}>
        {note ?? (typeof description === 'string' ? description : description[reader])}
      </figcaption>
    </figure>
  )
}

interface StopItemProps {
  stop: Stop
  date: string | undefined
  isFirst: boolean
  state: 'done' | 'current' | 'upcoming'
  tone: 'accent' | 'danger'
}

const stopClasses = {
  done: 'border-accent bg-accent-wash text-accent',
  upcoming: 'border-line-strong border-dashed bg-paper text-ink-soft',
} as const

const currentStopClasses = {
  accent: 'border-accent bg-accent text-accent-ink',
  danger: 'border-danger bg-danger text-danger-ink',
} as const

function StopItem({ stop, date, isFirst, state, tone }: StopItemProps) {
  return (
    <li
      aria-current={state === 'current' ? 'step' : undefined}
      className="relative grid content-start justify-items-center gap-1.5 text-center"
    >
      {!isFirst && (
        <span
          aria-hidden="true"
          className={classNames(
            'absolute top-5 right-[calc(50%+1.25rem)] left-[calc(-50%+1.25rem)] h-0 border-t-2',
            state === 'upcoming' ? 'border-line-strong border-dashed' : 'border-accent',
          )}
        />
      )}
      <span
        className={classNames(
          'relative grid size-10 place-items-center rounded-round border-2',
          state === 'current' ? currentStopClasses[tone] : stopClasses[state],
        )}
      >
        <svg
          viewBox="0 0 24 24"
          aria-hidden="true"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="size-5"
        >
          {pictures[stop.picture]}
        </svg>
      </span>
      <span
        className={classNames(
          'text-fine',
          state === 'current' ? 'font-strong' : 'text-ink-soft',
          state === 'current' && tone === 'danger' && 'text-danger',
        )}
      >
        {stop.label}
        {date && <span className="block font-regular text-ink-soft tabular-nums">{date}</span>}
      </span>
    </li>
  )
}

const pictures = {
  card: (
    <path d="M3 7.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5zM3 10.5h18M7 14.5h3" />
  ),
  safe: (
    <>
      <path d="M4 5.5A1.5 1.5 0 0 1 5.5 4h13A1.5 1.5 0 0 1 20 5.5v12a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM7 19v2M17 19v2" />
      <circle cx="12" cy="11.5" r="3.5" />
      <path d="M12 8v1.5M12 13.5V15M8.5 11.5H10M14 11.5h1.5" />
    </>
  ),
  parcel: <path d="M4 8l8-4 8 4v8.5l-8 4-8-4zM4 8l8 4 8-4M12 12v8.5M8 6l8 4v3" />,
  purse: (
    <>
      <path d="M3.5 15.5 7 12.5c1-.8 2.2-.8 3.3-.2l2 1.2h2.2a1.5 1.5 0 0 1 0 3H11" />
      <path d="M14.5 16.5l4-2.3c1.7-.9 3 1 1.7 2.2L15 20.5H7.5l-2 1" />
      <circle cx="14.5" cy="6.5" r="3.5" />
    </>
  ),
  scales: (
    <path d="M12 4v16M8 20h8M5 7.5h14M5 7.5 2.5 14h5zM19 7.5 16.5 14h5zM2.5 14a2.5 2.5 0 0 0 5 0M16.5 14a2.5 2.5 0 0 0 5 0" />
  ),
  return: <path d="M8.5 5 4 9.5 8.5 14M4 9.5h10.5a5.5 5.5 0 0 1 0 11H8" />,
  halves: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 2.5v19" strokeDasharray="2.5 2.5" />
    </>
  ),
} satisfies Record<Picture, ReactNode>
