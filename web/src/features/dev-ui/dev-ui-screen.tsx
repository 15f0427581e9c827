import { useEffect } from 'react'
import { TooltipProvider } from '../../ui/tooltip.tsx'
import { Actions } from './actions.tsx'
import { Displays } from './displays.tsx'
import { Feedback } from './feedback.tsx'
import { Fields } from './fields.tsx'
import { Foundations } from './foundations.tsx'

/** Every part of the design system in every state, to look at while building. */
export function DevUiScreen() {
  useEffect(() => {
    document.title = 'Parts · Sought'
  }, [])
  return (
    <TooltipProvider>
      <div className="mx-auto max-w-board px-4 py-10 sm:px-6 md:py-14">
        <h1 className="mb-10 font-display font-strong text-display tracking-[-0.02em]">Parts</h1>
        <Displays />
        <Actions />
        <Fields />
        <Feedback />
        <Foundations />
      </div>
    </TooltipProvider>
  )
}
