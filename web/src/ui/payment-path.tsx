import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** Where a payment stands. The first six are the way it should go; the rest leave it. */
export type PaymentPlace =
  | 'unpaid'
  | 'paying'
  | 'paid'
  | 'escrow'
  | 'delivered'
  | 'released'
  | 'disputed'
  | 'refunded'
  | 'shared'
  | 'released-after-dispute'

type Picture = 'card' | 'safe' | 'parcel' | 'purse' | 'scales' | 'return' | 'halves'

interface Stop {
  label: string
  picture: Picture
}

const paid: Stop = { label: 'Paid', picture: 'card' }
const escrow: Stop = { label: 'In escrow', picture: 'safe' }
const delivered: Stop = { label: 'Delivered', picture: 'parcel' }
const released: Stop = { label: 'Released', picture: 'purse' }
const disputed: Stop = { label: 'Disputed', picture: 'scales' }

const usual = [paid, escrow, delivered, released]

interface Way {
  stops: readonly Stop[]
  /** How many stops lie behind or under the money: the last of them is where it is now. */
  reached: number
  tone: 'accent' | 'danger'
  /** The whole drawing in a sentence. */
  said: string
}

const ways = {
  unpaid: {
    stops: [{ label: 'You pay', picture: 'card' }, escrow, delivered, released],
    reached: 0,
    tone: 'accent',
    said: 'Not paid yet: the money will wait in escrow, and be released after delivery.',
  },
  paying: {
    stops: [{ label: 'Processing', picture: 'card' }, escrow, delivered, released],
    reached: 1,
    tone: 'accent',
    said: 'The card payment is being processed.',
  },
  paid: { stops: usual, reached: 1, tone: 'accent', said: 'Paid, on its way into escrow.' },
  escrow: { stops: usual, reached: 2, tone: 'accent', said: 'The money waits in escrow.' },
  delivered: {
    stops: usual,
    reached: 3,
    tone: 'accent',
    said: 'Delivered, about to be released to the seller.',
  },
  released: { stops: usual, reached: 4, tone: 'accent', said: 'Released to the seller.' },
  disputed: {
    stops: [paid, escrow, disputed, { label: 'Decided', picture: 'purse' }],
    reached: 3,
    tone: 'danger',
    said: 'In dispute: the money stays in escrow until it is decided.',
  },
  refunded: {
    stops: [paid, escrow, disputed, { label: 'Refunded', picture: 'return' }],
    reached: 4,
    tone: 'accent',
    said: 'Decided after a dispute: refunded to the buyer.',
  },
  shared: {
    stops: [paid, escrow, disputed, { label: 'Shared', picture: 'halves' }],
    reached: 4,
    tone: 'accent',
    said: 'Decided after a dispute: shared between buyer and seller.',
  },
  'released-after-dispute': {
    stops: [paid, escrow, disputed, released],
    reached: 4,
    tone: 'accent',
    said: 'Decided after a dispute: released to the seller.',
  },
} satisfies Record<PaymentPlace, Way>

export interface PaymentPathProps {
  at: PaymentPlace
  /** A line under the drawing: the date it will be released, who was paid. */
  note?: ReactNode
  className?: string | undefined
}

/** The way of a payment, drawn the same wherever money is spoken of, so that people learn it once. */
export function PaymentPath({ at, note, className }: PaymentPathProps) {
  const { stops, reached, tone, said }: Way = ways[at]
  return (
    <figure className={classNames('min-w-0', className)}>
      <ol aria-label="Way of the payment" className="grid grid-cols-4">
        {stops.map((stop, index) => (
          <StopMark
            key={stop.label}
            stop={stop}
            first={index === 0}
            state={index + 1 < reached ? 'behind' : index + 1 === reached ? 'here' : 'ahead'}
            tone={index + 1 === reached ? tone : 'accent'}
          />
        ))}
      </ol>
      <figcaption className={note ? 'mt-3 text-center text-fine text-ink-soft' : 'sr-only'}>
        {note ?? said}
      </figcaption>
    </figure>
  )
}

interface StopMarkProps {
  stop: Stop
  first: boolean
  state: 'behind' | 'here' | 'ahead'
  tone: 'accent' | 'danger'
}

const markLooks = {
  behind: 'border-accent bg-accent-wash text-accent',
  ahead: 'border-line-strong border-dashed bg-paper text-ink-soft',
} as const

const hereLooks = {
  accent: 'border-accent bg-accent text-accent-ink',
  danger: 'border-danger bg-danger text-danger-ink',
} as const

function StopMark({ stop, first, state, tone }: StopMarkProps) {
  return (
    <li
      aria-current={state === 'here' ? 'step' : undefined}
      className="relative grid justify-items-center gap-1.5 text-center"
    >
      {!first && (
        <span
          aria-hidden="true"
          className={classNames(
            'absolute top-5 right-[calc(50%+1.25rem)] left-[calc(-50%+1.25rem)] h-0 border-t-2',
            state === 'ahead' ? 'border-line-strong border-dashed' : 'border-accent',
          )}
        />
      )}
      <span
        className={classNames(
          'relative grid size-10 place-items-center rounded-round border-2',
          state === 'here' ? hereLooks[tone] : markLooks[state],
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
          state === 'here' ? 'font-strong' : 'text-ink-soft',
          state === 'here' && tone === 'danger' && 'text-danger',
        )}
      >
        {stop.label}
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
