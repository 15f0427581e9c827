import { Search, X } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { classNames } from '../base/class-names.ts'
import { useIsHydrated } from '../base/hydration.ts'

export interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> {
  label: string
  value: string
  onValueChange: (value: string) => void
  /** Called when the clear button is pressed. */
  onClear?: (() => void) | undefined
}

/** A search field with a clear button. The caller provides the form. */
export function SearchField({ label, value, onValueChange, onClear, className, ...input }: SearchFieldProps) {
  const box = useRef<HTMLInputElement>(null)
  const canClear = useIsHydrated() && value !== ''
  const clear = () => {
    onValueChange('')
    onClear?.()
    box.current?.focus()
  }
  return (
    <div className={classNames('relative flex items-center', className)}>
      <Search aria-hidden="true" className="pointer-events-none absolute left-3 size-5 text-ink-soft" />
      <input
        ref={box}
        type="search"
        enterKeyHint="search"
        aria-label={label}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        className={
          'min-h-11 w-full appearance-none rounded-control border border-line-strong bg-paper py-2 pl-10.5 text-ink ' +
          'text-ellipsis transition-colors duration-150 hover:border-ink focus-visible:border-accent ' +
          'focus-visible:outline-offset-0 [&::-webkit-search-cancel-button]:hidden ' +
          (canClear ? 'pr-11' : 'pr-3')
        }
        {...input}
      />
      {canClear && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={clear}
          className="absolute right-1 grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  )
}
