import { isLikeTransactionNumber, parseTransactionNumber } from '@sought/contract/transaction-number'
import { SearchForm } from '../../shared/forms/search-form.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/forms/button.tsx'

const SEARCH_DELAY_MS = 300

export function PaymentSearch(search: { value: string; onSearch: (text: string) => void }) {
  return (
    <SearchForm
      label="Search your transactions"
      placeholder="Transaction number, item or name"
      maxLength={200}
      delayMs={SEARCH_DELAY_MS}
      className="mb-8 block max-w-column"
      {...search}
    />
  )
}

export function NoMatches({ search, onClear }: { search: string; onClear: () => void }) {
  const isMistyped = isLikeTransactionNumber(search) && parseTransactionNumber(search) === null
  return (
    <EmptyState
      drawing="lens"
      title={isMistyped ? 'This is not a valid transaction number' : 'No transactions found'}
      action={
        <Button variant="secondary" onClick={onClear}>
          Show all transactions
        </Button>
      }
    >
      {isMistyped ? 'Please check it for typing mistakes.' : `Nothing matches “${search}”.`}
    </EmptyState>
  )
}
