import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '../base/class-names.ts'
import { controlLook, Field, type FieldTexts, splitField } from './field.tsx'

export interface ComboboxProps
  extends FieldTexts,
    Omit<ComponentProps<'input'>, 'className' | 'value' | 'onChange' | 'onKeyDown'> {
  value: string
  onValueChange: (value: string) => void
  /** Suggested texts. Any other text is allowed too. */
  suggestions: readonly string[]
}

/** A text field with suggestions. Arrow keys move between them, Enter selects one, Escape closes the list. */
export function Combobox({ value, onValueChange, suggestions, onBlur, ...props }: ComboboxProps) {
  const [field, input] = splitField(props)
  const listId = useId()
  const [isWanted, setIsWanted] = useState(false)
  const [active, setActive] = useState<number | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const isOpen = isWanted && suggestions.length > 0
  const chosen = isOpen && active !== null ? suggestions[active] : undefined
  const close = () => {
    setIsWanted(false)
    setActive(null)
  }
  const choose = (suggestion: string) => {
    onValueChange(suggestion)
    close()
  }
  const go = (step: 1 | -1) => {
    setIsWanted(true)
    const from = active ?? (step === 1 ? -1 : suggestions.length)
    setActive((from + step + suggestions.length) % suggestions.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (suggestions.length === 0) return
      event.preventDefault()
      go(event.key === 'ArrowDown' ? 1 : -1)
    }
    if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      choose(chosen)
    }
  }
  useCloseOnEscape(isOpen, close)
  useEffect(() => {
    if (active !== null) list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          <input
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={chosen === undefined ? undefined : `${listId}-${active}`}
            autoComplete="off"
            className={classNames(controlLook, 'min-h-11 py-2')}
            value={value}
            onChange={({ target }) => {
              onValueChange(target.value)
              setIsWanted(true)
              setActive(null)
            }}
            onKeyDown={onKeyDown}
            onBlur={(event) => {
              close()
              onBlur?.(event)
            }}
            {...input}
            {...control}
          />
          <p role="status" className="sr-only">
            {isOpen && (suggestions.length === 1 ? '1 suggestion' : `${suggestions.length} suggestions`)}
          </p>
          {isOpen && (
            <ul
              ref={list}
              id={listId}
              // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a list of options
              role="listbox"
              aria-label="Suggestions"
              className="absolute inset-x-0 top-full z-40 mt-1 max-h-72 overflow-y-auto rounded-control bg-paper p-1.5 text-ink shadow-lift ring-1 ring-line"
            >
              {suggestions.map((suggestion, at) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                <li
                  key={suggestion}
                  id={`${listId}-${at}`}
                  // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: see above
                  role="option"
                  tabIndex={-1}
                  aria-selected={at === active}
                  // The field keeps the focus.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(suggestion)}
                  className={classNames(
                    'flex min-h-11 cursor-pointer items-center rounded-card px-3 py-1.5 hover:bg-sunken [overflow-wrap:anywhere]',
                    at === active && 'bg-sunken',
                  )}
                >
                  {suggestion}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Field>
  )
}

/** Runs before an enclosing dialog receives the key and closes too. */
function useCloseOnEscape(isOpen: boolean, close: () => void): void {
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    if (!isOpen) return
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      latest.current()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isOpen])
}
