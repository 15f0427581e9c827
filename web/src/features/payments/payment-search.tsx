import { isLikeTransactionNumber, parseTransactionNumber } from '@sought/contract/transaction-number'
import { type FormEvent, useState } from 'react'
import { useTimeout } from '../../shared/time/use-timeout.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'

const SEARCH_DELAY_MS = 300

interface PaymentSearchProps {
  text: string
  onText: (text: string) => void
  onSubmit: () => void
}

export function PaymentSearch({ text, onText, onSubmit }: PaymentSearchProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <search className="mb-8 block max-w-column">
      <form onSubmit={submit}>
        <SearchField
          label="Search your transactions"
          placeholder="Transaction number, item or name"
          value={text}
          maxLength={200}
          onValueChange={onText}
        />
      </form>
    </search>
  )
}

/** The typed text, and the text to search for: updated after a pause in typing, and immediately on Enter. */
export function usePaymentSearch() {
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const startTimeout = useTimeout()
  const enter = (typed: string, delayMs: number) => {
    setText(typed)
    startTimeout(() => setSearch(typed.trim()), delayMs)
  }
  const field = {
    text,
    onText: (typed: string) => enter(typed, SEARCH_DELAY_MS),
    onSubmit: () => enter(text, 0),
  }
  return { field, search, clear: () => enter('', 0) }
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
