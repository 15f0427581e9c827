import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/forms/button.tsx'
import type { CounterProps } from './counter-dialog.tsx'

const CounterDialog = lazy(() => import('./counter-dialog.tsx'))

/** The buyer proposes another amount. The original offer stays open. */
export function CounterButton(props: CounterProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="sm" variant="quiet" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Counter
      </Button>
      {isOpen && (
        <Suspense>
          <CounterDialog {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
