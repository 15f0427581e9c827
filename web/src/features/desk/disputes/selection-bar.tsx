import { Layers } from 'lucide-react'
import { Button } from '../../../ui/forms/button.tsx'

interface SelectionBarProps {
  count: number
  onBulk: () => void
  onClear: () => void
}

/** A bar at the bottom of the window. When the end of the list is on screen, the bar is below the list. */
export function SelectionBar({ count, onBulk, onClear }: SelectionBarProps) {
  return (
    <section
      aria-label="Selection"
      data-bottom-bar
      className="sticky bottom-0 z-10 mt-5 flex items-center gap-2 border-line-strong border-t bg-paper pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] shadow-lift max-sm:-mx-4 max-sm:px-4 sm:bottom-4 sm:rounded-card sm:border sm:px-5"
    >
      <p className="mr-auto font-strong tabular-nums">{count} selected</p>
      <Button variant="quiet" size="sm" onClick={onClear}>
        Clear
      </Button>
      <Button size="sm" onClick={onBulk}>
        <Layers aria-hidden="true" />
        Bulk Actions
      </Button>
    </section>
  )
}
