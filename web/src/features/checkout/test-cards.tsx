import { groupCardNumber } from './card.ts'

/** Test card numbers published by Stripe. The sandbox treats them like Stripe does. */
const testCards = [
  { number: '4242424242424242', result: 'Succeeds' },
  { number: '4000000000000002', result: 'Declined' },
  { number: '4000002500003155', result: 'Requires authentication' },
  { number: '4000000000009995', result: 'Insufficient funds' },
] as const

export function TestCards({ onChoose }: { onChoose: (number: string) => void }) {
  return (
    <div className="grid gap-2">
      <p className="text-fine text-ink-soft">
        No real card is charged. Choose a test card, or enter one with any future date and any CVC.
      </p>
      <ul aria-label="Test cards" className="grid gap-x-3 gap-y-1.5 sm:grid-cols-2">
        {testCards.map(({ number, result }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => onChoose(number)}
              className="grid w-full rounded-control border border-line-strong border-dashed px-3 py-1.5 text-left hover:border-ink hover:border-solid hover:bg-sunken"
            >
              <span className="tabular-nums">{groupCardNumber(number)}</span>
              <span className="text-fine text-ink-soft">{result}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
