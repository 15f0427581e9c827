import { routes } from '@sought/contract/paths'
import { type FormEvent, useState } from 'react'
import { SearchField } from '../../ui/forms/search-field.tsx'

interface HeaderSearchProps {
  value: string
  onSearch: (value: string) => void
  placeholder: string
  className?: string | undefined
}

/** Searches on submit, or when the field is cleared, but not while typing. */
export function HeaderSearch({ value, onSearch, placeholder, className }: HeaderSearchProps) {
  const [draft, setDraft] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  // If a link or the back button changed the search, shows the new value.
  if (lastValue !== value) {
    setLastValue(value)
    setDraft(value)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(draft.trim())
  }
  return (
    <search className={className}>
      <form action={routes.home} onSubmit={submit}>
        <SearchField
          name="search"
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
