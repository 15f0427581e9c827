import { type FormEvent, useState } from 'react'
import { SearchField } from '../../ui/search-field.tsx'

interface HeaderSearchProps {
  value: string
  onSearch: (value: string) => void
  placeholder: string
  className?: string | undefined
}

/** Typing changes nothing but the box; sending the form, or emptying it with the cross, sets the search. */
export function HeaderSearch({ value, onSearch, placeholder, className }: HeaderSearchProps) {
  const [draft, setDraft] = useState(value)
  const [shown, setShown] = useState(value)
  // The search was set from elsewhere (a link, the back button): show what now holds.
  if (shown !== value) {
    setShown(value)
    setDraft(value)
  }

  const send = (event: FormEvent) => {
    event.preventDefault()
    onSearch(draft.trim())
  }
  return (
    <search className={className}>
      <form onSubmit={send}>
        <SearchField
          label="Search requests"
          placeholder={placeholder}
          value={draft}
          onValueChange={setDraft}
          onClear={() => onSearch('')}
        />
      </form>
    </search>
  )
}
