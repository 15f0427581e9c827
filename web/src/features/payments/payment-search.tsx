import { isLikeTransactionNumber, parseTransactionNumber } from '@sought/contract/transaction-number'
import { type FormEvent, useState } from 'react'
import { useTimeout } from '../../lib/use-timeout.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchField } from '../../ui/search-field.tsx'

const SEARCH_DELAY_MS = 300

interface PaymentSearchProps {
  text: string
  onText: (text: string) => void
  onSearch: (search: string) => void
}

/** Searches after a pause in typing, and at once on Enter. */
export function PaymentSearch({ text, onText, onSearch }: PaymentSearchProps) {
  const startTimeout = useTimeout()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <search className="mb-8 block max-w-column">
      <form onSubmit={submit}>
        <SearchField
          label="Search your transactions"
          placeholder="Transaction number, item or name"
          value={text}
          maxLength={200}
          onValueChange={(typed) => {
            onText(typed)
            startTimeout(() => onSearch(typed.trim()), SEARCH_DELAY_MS)
          }}
        />
      </form>
    </search>
  )
}

/** The typed text, and what is searched for. */
export function usePaymentSearch() {
  const [text, onText] = useState('')
  const [search, onSearch] = useState('')
  const clear = () => {
    onText('')
    onSearch('')
  }
  return { field: { text, onText, onSearch }, search, clear }
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
