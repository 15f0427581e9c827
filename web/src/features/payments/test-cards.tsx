import { groupCardNumber } from './card.ts'

/** Stripe's published numbers, which the sandbox takes as Stripe does. */
const testCards = [
  { number: '4242424242424242', does: 'Succeeds' },
  { number: '4000000000000002', does: 'Is declined' },
  { number: '4000002500003155', does: 'Asks for authentication' },
  { number: '4000000000009995', does: 'Has insufficient funds' },
] as const

/** What to type in test mode. A press fills it in. */
export function TestCards({ onChoose }: { onChoose: (number: string) => void }) {
  return (
    <div className="grid gap-2">
      <p className="text-fine text-ink-soft">
        No real card is charged here. Press one of these, or use any date ahead and any CVC.
      </p>
      <ul aria-label="Test cards" className="grid gap-x-3 gap-y-1.5 sm:grid-cols-2">
        {testCards.map(({ number, does }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => onChoose(number)}
              className="grid w-full rounded-control border border-line-strong border-dashed px-3 py-1.5 text-left hover:border-ink hover:border-solid hover:bg-sunken"
            >
              <span className="tabular-nums">{groupCardNumber(number)}</span>
              <span className="text-fine text-ink-soft">{does}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
