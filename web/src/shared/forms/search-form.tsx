import { useEffect, useRef, useState } from 'react'
import { SearchField, type SearchFieldProps } from '../../ui/forms/search-field.tsx'

interface SearchFormProps extends Pick<SearchFieldProps, 'label' | 'placeholder' | 'maxLength' | 'name'> {
  /** The current search text, for example from the URL. The field is updated if the back button changes it. */
  value: string
  onSearch: (text: string) => void
  /** If set, also searches after a pause in typing. Enter and clearing the field always search. */
  delayMs?: number
  /** The address that the browser submits the form to before our code has loaded. */
  action?: string
  className?: string | undefined
}

export function SearchForm({ value, onSearch, delayMs, action, className, ...field }: SearchFormProps) {
  const [text, setText] = useState(value)
  const lastSearch = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (value === lastSearch.current) return
    clearTimeout(timer.current)
    lastSearch.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (typed: string) => {
    clearTimeout(timer.current)
    lastSearch.current = typed.trim()
    onSearch(typed.trim())
  }
  return (
    <search className={className}>
      <form
        action={action}
        onSubmit={(event) => {
          event.preventDefault()
          search(text)
        }}
      >
        <SearchField
          {...field}
          value={text}
          onValueChange={(typed) => {
            setText(typed)
            clearTimeout(timer.current)
            if (delayMs) timer.current = setTimeout(() => search(typed), delayMs)
          }}
          onClear={() => search('')}
        />
      </form>
    </search>
  )
}
